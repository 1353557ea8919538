import { parseNodeId } from "../../base/ids/ids.js";
import type { Drift } from "../../memory/memory.js";
import { compareSymbol } from "./compare-symbol.js";
import type { NodeState, TreeLookup } from "./tree-lookup.js";
import { manifest } from "./read-manifest.js";
import type { CheckedMemory, ResolvedClaim } from "./resolve-claims.js";
import { withMentions } from "./read-symbol.js";
import { quoteCode, quotePath } from "./quote-code.js";
import type { Ground } from "./grounds.js";

export interface Trees {
  here: TreeLookup;
  /** The other work trees of the project: what still holds in one of them is no drift. */
  others: readonly TreeLookup[];
  /** Where something went that is no longer where it was, as far as an indexing has seen it. */
  movedTo: (node: string) => string | undefined;
}

/** What a memory rests on now, and what speaks against it. */
export interface Verdict {
  grounds: Map<string, Ground>;
  findings: Drift[];
}

/**
 * Compares what a memory was seen to rest on with what is there. Grounds stay as they were when it was last found true, so
 * that what comes back lifts the doubt; only where something moved they go along.
 */
export async function checkMemory(
  memory: CheckedMemory,
  { grounds: known, findings: before }: Verdict,
  places: readonly ResolvedClaim[],
  trees: Trees,
): Promise<Verdict> {
  const grounds = new Map<string, Ground>();
  const findings: Drift[] = [];
  const filed = new Set([...memory.relatedFiles, ...memory.nodes]);
  for (const [node, ground] of known) {
    if (ground.by === "place" && !filed.has(node) && !filed.has(ground.was ?? node)) continue;
    const found = await settle(node, ground, trees);
    // When it was kept, the index did not know its file as it was.
    if (found.look.state === "there" && found.look.definition && !ground.seen) {
      const place = { node: found.node, by: ground.by, definition: found.look.definition };
      found.ground = { ...found.ground, ...(await groundOf(memory, place, trees.here)) };
    }
    grounds.set(found.node, found.ground);
    const old = before.find((one) => one.node === (ground.was ?? node));
    const finding = found.isUnknown ? old : await judge(memory, found, trees);
    if (finding) findings.push(finding);
  }
  const origins = new Set([...grounds].flatMap(([node, { was }]) => [node, was ?? node]));
  for (const place of places.filter(({ node }) => !origins.has(node))) {
    const ground = await groundOf(memory, place, trees.here);
    grounds.set(place.node, ground);
    const finding = await judge(memory, { node: place.node, ground, look: await trees.here.look(place.node) }, trees);
    if (finding) findings.push(finding);
  }
  return { grounds, findings: joined(findings, grounds) };
}

/** What a memory is seen to rest on now. */
async function groundOf(
  { content }: CheckedMemory,
  { node, by, definition }: ResolvedClaim,
  here: TreeLookup,
): Promise<Ground> {
  const look = await here.look(node);
  const sight = look.state === "there" ? look.sight : undefined;
  return { by, ...(sight && definition && { seen: withMentions(sight, content, definition.name) }) };
}

interface Settled {
  node: string;
  ground: Ground;
  look: NodeState;
  /** Nothing can be told now: what was found before stands. */
  isUnknown?: boolean;
}

/** Where something is now: where it was, back there, or where it went. */
async function settle(node: string, ground: Ground, { here, others, movedTo }: Trees): Promise<Settled> {
  const { was } = ground;
  const { was: _was, ...home } = ground;
  if (was !== undefined && (await here.look(was)).state === "there") {
    return { node: was, ground: home, look: await here.look(was) };
  }
  const look = await here.look(node);
  if (look.state === "unknown") return { node, ground, look, isUnknown: true };
  if (look.state === "there") return { node, ground, look };
  for (const other of others) if ((await other.look(node)).state !== "gone") return { node, ground, look };
  const told = movedTo(node);
  const to =
    told !== undefined && (await here.look(told)).state === "there"
      ? told
      : ground.seen && (await here.findAlike(node, ground.seen));
  if (to === undefined || to === node) return { node, ground, look };
  return { node: to, ground: { ...ground, was: was ?? node }, look: await here.look(to) };
}

/** What speaks against a memory in what it rests on. */
async function judge(memory: CheckedMemory, settled: Settled, trees: Trees): Promise<Drift | undefined> {
  const { node, ground, look } = settled;
  const origin = ground.was ?? node;
  if (look.state === "gone") {
    for (const other of trees.others) if ((await other.look(node)).state !== "gone") return undefined;
    return { node: origin, outcome: "doubt", reason: tellGone(origin) };
  }
  const note = ground.was === undefined ? undefined : tellMove(memory, ground.was, node);
  const drift = await compare(memory, settled, trees);
  if (drift !== undefined) return { node: origin, outcome: "doubt", reason: drift };
  return note === undefined ? undefined : { node: origin, outcome: "moved", reason: note };
}

async function compare(
  memory: CheckedMemory,
  { node, ground, look }: Settled,
  trees: Trees,
): Promise<string | undefined> {
  if (look.state !== "there" || !look.definition || !look.sight || !ground.seen) return undefined;
  const { name } = look.definition;
  const { seen } = ground;
  const drift = compareSymbol(memory, seen, look.sight, name);
  if (drift === undefined) return undefined;
  for (const other of trees.others) {
    const there = await other.look(node);
    if (there.state === "there" && there.sight && compareSymbol(memory, seen, there.sight, name) === undefined) {
      return undefined;
    }
  }
  return drift;
}

function tellGone(node: string): string {
  const { file, symbol } = parseNodeId(node);
  if (symbol === "") return `${quotePath(file)} is gone`;
  if (file === manifest) return `${file} has no script ${quoteCode(symbol.replace(/^scripts\./, ""))} any more`;
  return `${quoteCode(symbol)} is no longer in ${quotePath(file)}`;
}

/** What the text of a memory, or what it is filed under, does not know of a move; undefined where it is right as it stands. */
function tellMove({ content, relatedFiles }: CheckedMemory, was: string, now: string): string | undefined {
  const [old, next] = [parseNodeId(was), parseNodeId(now)];
  const isOtherFile = old.file !== next.file;
  const isFileTold =
    content.includes(old.file) || (content.includes(fileName(old.file)) && fileName(old.file) !== fileName(next.file));
  if (old.symbol === "") return isFileTold ? `${quotePath(old.file)} is ${quotePath(next.file)} now` : undefined;
  const isOtherName = lastName(old.symbol) !== lastName(next.symbol) && content.includes(lastName(old.symbol));
  if (isOtherName) {
    const where = isOtherFile ? `, in ${quotePath(next.file)}` : "";
    return `${quoteCode(old.symbol)} is called ${quoteCode(next.symbol)} now${where}`;
  }
  const isWrong = isOtherFile && (isFileTold || relatedFiles.includes(old.file));
  return isWrong ? `${quoteCode(old.symbol)} is in ${quotePath(next.file)} now` : undefined;
}

function fileName(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

function lastName(symbol: string): string {
  return symbol.slice(symbol.lastIndexOf(".") + 1);
}

// More than that nobody reads in a remark.
const maxPlaces = 4;

/** A file that is gone takes what it defined with it, and where all of that is elsewhere, it is not missed. */
function joined(findings: readonly Drift[], grounds: ReadonlyMap<string, Ground>): Drift[] {
  const isGone = ({ node, outcome, reason }: Drift) => outcome === "doubt" && reason === tellGone(node);
  const isFile = ({ node }: Drift) => parseNodeId(node).symbol === "";
  const goneFiles = new Set(findings.filter((one) => isFile(one) && isGone(one)).map(({ node }) => node));
  return findings.flatMap((finding): Drift[] => {
    const { file } = parseNodeId(finding.node);
    if (!goneFiles.has(file)) return [finding];
    const inside = [...grounds].filter(([node, { was = node }]) => was !== file && parseNodeId(was).file === file);
    const isElsewhere = inside.length > 0 && inside.every(([, { was }]) => was !== undefined);
    if (!isFile(finding)) return isGone(finding) || (isElsewhere && finding.outcome === "moved") ? [] : [finding];
    if (!isElsewhere) return [finding];
    const places = inside.slice(0, maxPlaces).map(([node]) => quotePath(node));
    if (inside.length > maxPlaces) places.push("…");
    const reason = `${quotePath(file)} is gone; what this names of it is ${places.join(", ")} now`;
    return [{ node: file, outcome: "moved", reason }];
  });
}
