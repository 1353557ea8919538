import { parseNodeId } from "../../base/ids/ids.js";
import { manifest, scriptsIn } from "./read-manifest.js";
import { readSymbol, type SymbolReading } from "./read-symbol.js";
import type { CodeView, Ground, SeenDefinition, SeenSymbol } from "./grounds.js";

/** `unknown`: it cannot be told now, as of a file that does not parse. The sight is missing where it cannot be read. */
export type NodeState =
  | { state: "gone" }
  | { state: "unknown" }
  | { state: "there"; definition?: SeenDefinition; sight?: SymbolReading };

/** A work tree, each thing of it looked at once. */
export interface TreeLookup {
  look: (node: string) => Promise<NodeState>;
  /** Looks up at once what has the body of something that is gone: to look for one goes through every symbol of the tree. */
  lookForGone: (grounds: Iterable<[node: string, ground: Ground]>) => Promise<void>;
  /** What can only be this one under another name or in another file; undefined where nothing can, or several things. */
  findAlike: (node: string, seen: SeenSymbol) => Promise<string | undefined>;
}

export function openTreeLookup(view: CodeView): TreeLookup {
  const definitions = new Map<string, Promise<Map<string, SeenDefinition>>>();
  const definitionsOf = (file: string) => {
    const known = definitions.get(file);
    const found = known ?? view.definitionsIn([file]).then((list) => new Map(list.map((one) => [one.id, one])));
    definitions.set(file, found);
    return found;
  };
  const sights = new Map<string, Promise<SymbolReading | undefined>>();
  const see = (definition: SeenDefinition): Promise<SymbolReading | undefined> => {
    const known = sights.get(definition.id);
    const found = known ?? view.linesOf(definition.file).then((lines) => lines && readSymbol(lines, definition));
    sights.set(definition.id, found);
    return found;
  };

  const lookUp = async (node: string): Promise<NodeState> => {
    const { file, symbol } = parseNodeId(node);
    const known = (await view.files()).get(file);
    if (symbol === "") return { state: known || view.isOnDisk(file) ? "there" : "gone" };
    if (file === manifest) return lookForScript(symbol.replace(/^scripts\./, ""), known !== undefined);
    if (!known) return { state: view.isOnDisk(file) ? "unknown" : "gone" };
    const definition = (await definitionsOf(file)).get(node);
    if (!definition) return { state: known.isWhole ? "gone" : "unknown" };
    const sight = await see(definition);
    return { state: "there", definition, ...(sight && { sight }) };
  };

  const lookForScript = async (name: string, isKnown: boolean): Promise<NodeState> => {
    if (!isKnown) return { state: view.isOnDisk(manifest) ? "unknown" : "gone" };
    const scripts = scriptsIn(await view.linesOf(manifest));
    if (!scripts) return { state: "unknown" };
    return { state: scripts.has(name) ? "there" : "gone" };
  };

  const looked = new Map<string, Promise<NodeState>>();
  const look = (node: string): Promise<NodeState> => {
    const found = looked.get(node) ?? lookUp(node);
    looked.set(node, found);
    return found;
  };

  const byBody = new Map<string, SeenDefinition[]>();
  const lookForBodies = async (fingerprints: readonly string[]): Promise<void> => {
    const unknown = fingerprints.filter((fingerprint) => !byBody.has(fingerprint));
    if (unknown.length === 0) return;
    for (const fingerprint of unknown) byBody.set(fingerprint, []);
    for (const one of await view.definitionsLike(unknown)) byBody.get(one.fingerprint ?? "")?.push(one);
  };

  return {
    look,
    lookForGone: async (grounds) => {
      const gone: string[] = [];
      for (const [node, { seen }] of grounds) {
        if (seen?.fingerprint !== undefined && (await look(node)).state === "gone") gone.push(seen.fingerprint);
      }
      await lookForBodies(gone);
    },
    findAlike: async (node, seen) => {
      const { file, symbol } = parseNodeId(node);
      const name = symbol.slice(symbol.lastIndexOf(".") + 1);
      const { fingerprint } = seen;
      if (fingerprint !== undefined) await lookForBodies([fingerprint]);
      // The same path first, then the same body anywhere, then the same text in the same file. Under another name, nothing
      // less than all of it counts: functions of a file often take the same.
      const ways: [SeenDefinition[], (now: SeenSymbol) => boolean][] = [
        [
          (await view.definitionsNamed([name])).filter(({ path }) => path === symbol),
          (now) => hasSameBody(seen, now) || hasSameFace(seen, now),
        ],
        [byBody.get(fingerprint ?? "") ?? [], (now) => now.fingerprint === fingerprint],
        [seen.shape === undefined ? [] : [...(await definitionsOf(file)).values()], (now) => now.shape === seen.shape],
      ];
      for (const [list, isAlike] of ways) {
        const alike: string[] = [];
        for (const one of list.filter(({ id, kind }) => id !== node && kind === seen.kind)) {
          const sight = await see(one);
          if (sight && isAlike(sight.symbol)) alike.push(one.id);
        }
        if (alike.length > 0) return alike.length === 1 ? alike[0] : undefined;
      }
      return undefined;
    },
  };
}

function hasSameBody({ fingerprint, shape }: SeenSymbol, now: SeenSymbol): boolean {
  return (fingerprint !== undefined && fingerprint === now.fingerprint) || (shape !== undefined && shape === now.shape);
}

/** Whether two things of one name have the same value or parameters. */
function hasSameFace({ value, signature }: SeenSymbol, now: SeenSymbol): boolean {
  if (value !== undefined) return value === now.value;
  return (signature?.parameters.length ?? 0) > 0 && JSON.stringify(signature) === JSON.stringify(now.signature);
}
