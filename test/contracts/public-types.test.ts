import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readPublicTypes } from "../support/public-types.js";
import { temporaryFolder } from "../support/temporary-folder.js";

const source = join(import.meta.dirname, "..", "..", "src");
const main = join(source, "index.ts");

describe("the types of the package", () => {
  it("are exported, as far as a public signature uses them", () => {
    expect(readPublicTypes(main).missing).toEqual([]);
  });

  it.each(["observe", "agents/ai-sdk/ai-sdk", "agents/opencode/opencode", "agents/worker/worker"])(
    "are exported by %s too, or by the main entry",
    (entry) => {
      expect(readPublicTypes(join(source, `${entry}.ts`), [main]).missing).toEqual([]);
    },
  );

  it("are of use to a caller", () => {
    // What the JSON of `exportGraph` holds.
    expect(readPublicTypes(main).unused).toEqual(["CodeEdge"]);
  });
});

describe("reading them", () => {
  it("finds a type in a parameter, a field, a result, a class and an argument that nobody exports", () => {
    const { missing, exported } = read({
      "index.ts": 'export { open, Store, type Options } from "./open.js";\n',
      "open.ts": `import type { Row } from "./row.js";
        interface Hidden { deep: Map<string, Deeper[]> }
        type Deeper = string;
        export interface Options { rows: readonly Row[]; hidden?: Hidden }
        export function open(options: Options, also: Deeper): Promise<Kept | undefined> { const own: Unseen = also; return own as never; }
        type Kept = number;
        type Unseen = string;
        export class Store { read(kind: Kind): void { void kind; } }
        type Kind = "a";`,
      "row.ts": "export interface Row { id: string }\n",
    });

    expect(exported).toEqual(["Options", "Store", "open"]);
    expect(missing.map(({ type, usedBy }) => `${type.split(" ").at(-1)} of ${usedBy}`)).toEqual([
      "Deeper of open",
      "Hidden of Options",
      "Kept of open",
      "Kind of Store",
      "Row of Options",
    ]);
  });

  it("takes what is inherited for the type's own, without what is left out, and generic helpers for what they make", () => {
    const { missing, unused } = read({
      "index.ts": 'export type { Child, Alone } from "./types.js";\nexport { use } from "./types.js";\n',
      "types.ts": `export interface Parent { one: One; two: Two }
        export interface Child extends Omit<Parent, "two"> { own: Wrapped<Three> }
        type Wrapped<T> = { it: T; four: Four };
        export interface Alone { own: string }
        export function use<Own>(child: Child, own: Own): void { void [child, own]; }
        type One = 1; type Two = 2; type Three = 3; type Four = 4;`,
    });

    expect(missing.map(({ type }) => type.split(" ").at(-1))).toEqual(["Four", "One", "Three"]);
    expect(unused).toEqual(["Alone"]);
  });
});

function read(files: Record<string, string>) {
  const folder = temporaryFolder();
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return readPublicTypes(join(folder, "index.ts"));
}
