/** A small project whose tests fail in a loop where one file was changed and another was not. */
export const shop: Record<string, string> = {
  "README.md": "# Shop\n\nSells things.\n",
  "package.json": `{ "name": "shop", "type": "module", "scripts": { "test": "node check.mjs" } }\n`,
  "src/orders.mjs": `export const orders = { fields: ["id"] };\n`,
  "src/schema.mjs": `export const schema = { fields: ["id"] };\n`,
  "check.mjs": `import { orders } from "./src/orders.mjs";
import { schema } from "./src/schema.mjs";

for (const field of orders.fields) {
  const row = { field };
  if (!schema.fields.includes(field)) row.driver = row;
  JSON.stringify(row);
}
console.log("Tests  2 passed (2)");
`,
};

export function blocksIn(text: string, point: string): string[] {
  return text.match(new RegExp(`<tacit-memory point="${point}">\n(?:\\|.*\n)*</tacit-memory>`, "g")) ?? [];
}

export function withoutBlocks(text: string): string {
  return blocksIn(text, "[a-z-]+").reduce((rest, block) => rest.replaceAll(block, ""), text);
}
