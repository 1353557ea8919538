import type { Memory } from "../../src/index.js";
import type { Said } from "./programs.js";

/** What a writer says before it acts. */
interface Intention {
  verb: "remember" | "rememberMany" | "revise" | "forget" | "supersede" | "purge";
  target?: string;
  contents?: string[];
}

/** A memory as acknowledged: what it must be, or, where its writer died over a change, may be as well. */
interface Entry {
  content: string;
  status: "active" | "forgotten" | "superseded" | "purged";
  supersededBy?: string;
  undecided?: Intention;
}

/**
 * Keeps book of what writers were told, and compares it with a store. An acknowledged change must be there; one that
 * was under way when its writer was killed may be there, but only as a whole.
 */
export class Ledger {
  readonly errors: unknown[] = [];
  /** How many changes were acknowledged. */
  acknowledged = 0;
  readonly #entries = new Map<string, Entry>();
  readonly #unacknowledged: string[][] = [];

  /** The words of some acknowledged memories that recall must find, with their ids. */
  sample(count: number): { id: string; content: string }[] {
    const sure = [...this.#entries].filter(([, { status, undecided }]) => status === "active" && !undecided);
    const stride = Math.max(1, Math.floor(sure.length / count));
    return sure.filter((_, index) => index % stride === 0).map(([id, { content }]) => ({ id, content }));
  }

  /** A book for one writer's lines; `died` closes it. */
  openPage(): { hear: (line: Said) => void; died: () => void } {
    let underWay: Intention | undefined;
    return {
      hear: (line) => {
        if ("about" in line) underWay = line["about"] as Intention;
        else if ("ids" in line && underWay) {
          this.#acknowledge(underWay, line["ids"] as string[]);
          underWay = undefined;
        } else this.errors.push(line["error"] ?? line);
      },
      died: () => {
        if (!underWay) return;
        const entry = this.#entries.get(underWay.target ?? "");
        if (entry) entry.undecided = underWay;
        if (underWay.verb !== "revise") this.#unacknowledged.push(underWay.contents ?? []);
      },
    };
  }

  /** Everything in which the store is not as acknowledged; empty when nothing was lost. */
  compare(memories: Memory[]): string[] {
    const stored = new Map(memories.map((memory) => [memory.id, memory]));
    const wrong = [...this.#entries].flatMap(([id, entry]) => {
      const problem = differences(entry, stored.get(id), stored);
      return problem === undefined ? [] : [`${id}: ${problem}`];
    });
    const unexpected = new Map(
      memories.filter(({ id }) => !this.#entries.has(id)).map((memory) => [memory.content, memory]),
    );
    for (const contents of this.#unacknowledged) {
      const kept = contents.filter((content) => unexpected.delete(content));
      if (kept.length > 0 && kept.length < contents.length)
        wrong.push(`only ${kept.length} of ${contents.length} in one go`);
    }
    for (const { id, content } of unexpected.values()) wrong.push(`${id}: nobody wrote ${JSON.stringify(content)}`);
    return wrong;
  }

  #acknowledge({ verb, target = "", contents = [] }: Intention, ids: string[]): void {
    this.acknowledged += 1;
    const old = this.#entries.get(target);
    switch (verb) {
      case "remember":
      case "rememberMany":
        ids.forEach((id, index) => this.#entries.set(id, { content: contents[index] ?? "", status: "active" }));
        break;
      case "revise":
        if (old) old.content = contents[0] ?? "";
        break;
      case "supersede":
        this.#entries.set(ids[0] ?? "", { content: contents[0] ?? "", status: "active" });
        if (old) Object.assign(old, { status: "superseded", supersededBy: ids[0] });
        break;
      case "forget":
        if (old) old.status = "forgotten";
        break;
      case "purge":
        if (old) old.status = "purged";
        break;
    }
  }
}

function differences(entry: Entry, memory: Memory | undefined, stored: Map<string, Memory>): string | undefined {
  const isAs = ({ content, status, supersededBy }: Entry): boolean =>
    status === "purged"
      ? memory === undefined
      : memory?.status === status &&
        memory.content === content &&
        (supersededBy === undefined || memory.supersededBy === supersededBy || memory.supersededBy === undefined);
  const { undecided } = entry;
  if (isAs(entry))
    return isHalfSuperseded(undecided, stored) ? "its successor is there, yet it was not superseded" : undefined;
  switch (undecided?.verb) {
    case "revise":
      if (isAs({ ...entry, content: undecided.contents?.[0] ?? "" })) return undefined;
      break;
    case "forget":
      if (isAs({ ...entry, status: "forgotten" })) return undefined;
      break;
    case "purge":
      if (isAs({ ...entry, status: "purged" })) return undefined;
      break;
    case "supersede":
      if (isAs({ ...entry, status: "superseded" }) && isSuccessor(memory, undecided, stored)) return undefined;
      break;
    case "remember":
    case "rememberMany":
    case undefined:
      break;
  }
  const was = memory ? `${memory.status} ${JSON.stringify(memory.content)}` : "not there";
  return `acknowledged as ${entry.status} ${JSON.stringify(entry.content)}, but ${was}`;
}

function isHalfSuperseded(undecided: Intention | undefined, stored: Map<string, Memory>): boolean {
  return (
    undecided?.verb === "supersede" && [...stored.values()].some(({ content }) => content === undecided.contents?.[0])
  );
}

function isSuccessor(memory: Memory | undefined, { contents }: Intention, stored: Map<string, Memory>): boolean {
  return stored.get(memory?.supersededBy ?? "")?.content === contents?.[0];
}
