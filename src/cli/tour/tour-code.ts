import { existsSync, mkdirSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Stage } from "./tour-stage.js";

/** On Tacit's own code in a clone of it, else on a small project: the folder one happens to stand in may be anything. */
export async function knowTheCode(stage: Stage): Promise<void> {
  const isClone = existsSync(join("src", "storage", "connect.ts")) && existsSync(join("src", "codegraph"));
  stage.say(
    `Tacit reads eleven languages: what calls, imports and tests what. Here it takes in ${isClone ? "its own code" : "a small shop"}. What git ignores is left out, and nothing is written into the work tree.`,
  );
  if (!isClone) stage.enter(openShop(stage));
  await stage.tacit("init");
  const target = isClone ? "src/storage/connect.ts#parseLocation" : "src/prices.ts#roundUp";
  if (!isClone)
    await stage.tacit("remember", "Rounding up is by law: never down.", "--type", "gotcha", "--file", "src/prices.ts");
  stage.say("Before changing a function: what depends on it, which tests to run, and what is known about it?");
  await stage.tacit("impact", target, "--depth", "2", "--limit", "8");
  const { dependents, tests, memories } = await stage.document("impact", target);
  stage.check(
    `${dependents.length} dependents, ${tests.length} tests and ${memories.length} memories hang on it`,
    dependents.length > 0 && tests.length > 0 && memories.length > 0,
  );
  await stage.tacit(
    "recall",
    "--code",
    isClone ? "where is the libSQL server spoken to" : "sum of a cart",
    "--limit",
    "2",
    "--words",
  );
  stage.enter();
}

export async function codeMoves(stage: Stage): Promise<void> {
  stage.say("A memory names a file and a function. Both are renamed; the index sees it, and the memory follows.");
  const shop = openShop(stage);
  stage.enter(shop);
  await stage.document("index");
  const { id } = await stage.document(
    "remember",
    "`roundUp` must stay in whole cents.",
    "--type",
    "gotcha",
    "--file",
    "src/prices.ts",
    "--name",
    "cents",
  );
  renameSync(join(shop, "src", "prices.ts"), join(shop, "src", "money.ts"));
  await stage.tacit("index");
  await stage.tacit("history", "cents");
  const { relatedFiles } = await stage.document("show", id);
  stage.check("the memory now speaks of src/money.ts", relatedFiles.includes("src/money.ts"));
  stage.enter();
}

/** A memory speaks of a constant; the constant changes. Another hangs on what stays. */
export async function codeLeavesMemoriesBehind(stage: Stage): Promise<void> {
  stage.say(
    "Code changes, and a memory may be left behind. Here a limit that a memory speaks of is raised. The memory is not hidden: it is in doubt, and says why.",
  );
  const shop = openShop(stage);
  const limits = join(shop, "src", "limits.go");
  writeFileSync(limits, "package shop\n\n// MaxItems is how many a cart holds.\nconst MaxItems = 20\n");
  stage.enter(shop);
  await stage.document("index");
  await stage.document("remember", "`MaxItems` is 20.", "--type", "fact", "--file", "src/limits.go", "--name", "limit");
  await stage.document("remember", "`roundUp` works in cents.", "--type", "fact", "--file", "src/prices.ts");
  await stage.tacit("verify", "--stale");
  writeFileSync(limits, "package shop\n\n// MaxItems is how many a cart holds.\nconst MaxItems = 50\n");
  await stage.tacit("verify", "--stale");
  const { inDoubt } = await stage.document("verify", "--stale");
  stage.check(
    "one memory is in doubt, and the one about roundUp is not",
    inDoubt.length === 1 && inDoubt[0].name === "limit",
  );
  await stage.tacit("module");
  stage.enter();
}

function openShop(stage: Stage): string {
  const shop = stage.file("shop");
  mkdirSync(join(shop, "src"), { recursive: true });
  for (const [name, text] of Object.entries(files)) writeFileSync(join(shop, "src", name), text);
  return shop;
}

const files = {
  "prices.ts": "/** In cents. */\nexport function roundUp(price: number): number {\n  return Math.ceil(price);\n}\n",
  "cart.ts":
    'import { roundUp } from "./prices.js";\n\nexport class Cart {\n  items: number[] = [];\n\n  sum(): number {\n    return roundUp(this.items.reduce((a, b) => a + b, 0));\n  }\n}\n',
  "cart.test.ts":
    'import { Cart } from "./cart.js";\n\nconst cart = new Cart();\nif (cart.sum() !== 0) throw new Error("not empty");\n',
};
