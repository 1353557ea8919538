import { type Caller, callerOf } from "../base/actor.js";
import { MemoryError } from "../base/memory-error.js";
import type { RememberOptions } from "../memory/remember/remember.js";
import { commandLine } from "./command-line.js";
import type { Parts } from "./parts.js";

/** What is said, as far as judging it takes. A caller may hand over anything; what does not fit is refused by the room. */
interface Said {
  content?: unknown;
  sessionId?: unknown;
}

type Judging = Pick<Parts, "context" | "trust">;

/** For each text why it is not to be trusted, and why nobody vouches for the others. */
export async function judgeTexts(
  { context, trust }: Judging,
  said: readonly Said[],
): Promise<Pick<RememberOptions, "doubts" | "unverified">> {
  const caller = callerOf(context.actor);
  const texts = Array.isArray(said) ? said.map((one) => toText(caller, one)) : [];
  if (caller.kind === "agent") return trust.judgeAgent(texts);
  return { doubts: await trust.listDistrustReasons(texts) };
}

/** The same for one change: a `doubt` forbids it. A person and a program are judged by the session that they name, if any. */
export async function judgeChange(
  parts: Judging,
  said: Said = {},
): Promise<{ doubt?: string | undefined; unverified?: string | undefined }> {
  const { doubts: [doubt] = [], unverified } = await judgeTexts(parts, [said]);
  return { doubt, unverified };
}

/**
 * Refuses an agent whose session has read from untrusted sources: it changes nothing about what is trusted, by whatever verb.
 * `words` are the line of `tacit` that a person can run instead.
 */
export async function refuseTainted(parts: Judging, what: string, words: readonly unknown[]): Promise<void> {
  if (callerOf(parts.context.actor).kind !== "agent") return;
  const { doubt } = await judgeChange(parts);
  if (doubt === undefined) return;
  const hint = `A person can, in a terminal of their own: ${commandLine(...words)}`;
  throw new MemoryError("session-tainted", `${what} stays as it is. ${doubt}`, hint);
}

/** What an agent says belongs to its session, whichever it names: it must not choose by which it is judged. */
export function withSession<Input extends Said>(caller: Caller, said: Input): Input {
  if (Object(said) !== said || caller.kind !== "agent" || caller.sessionId === undefined) return said;
  return { ...said, sessionId: caller.sessionId };
}

function toText(caller: Caller, said: Said): { content: string; sessionId?: string } {
  const { content, sessionId } = withSession(caller, Object(said) as Said);
  return {
    content: typeof content === "string" ? content : "",
    ...(typeof sessionId === "string" && { sessionId }),
  };
}

/** Gives back who is behind a call. Refuses what is no caller: a misspelt agent would pass for somebody trusted. */
export function checkCaller(actor: Caller): Caller {
  const { kind, ...rest } = Object(actor) as Record<string, unknown>;
  const known = typeof kind === "string" && Object.hasOwn(fields, kind) ? fields[kind as Caller["kind"]] : undefined;
  const isCaller = known && Object.entries(rest).every(([name, value]) => known.includes(name) && isText(value));
  // A copy: whoever holds the object must not become somebody else.
  if (isCaller) return Object.freeze({ ...actor });
  throw new MemoryError(
    "invalid-input",
    "The actor is none of person, agent and program, or has fields that it does not take.",
    'For example { kind: "agent", sessionId: "s1" }.',
  );
}

/** Until 0.9 an option said that an agent speaks. Ignored, it would let an agent pass for a program. */
export function refuseAsAgent(options: unknown, option: "asAgent" | "agent" = "asAgent"): void {
  if (!Object.hasOwn(Object(options) as object, option)) return;
  throw new MemoryError(
    "invalid-input",
    `The option ${option} is gone.`,
    'Say who asks instead: memory.as({ kind: "agent", sessionId }), and call the same on what it gives.',
  );
}

const fields: Record<Caller["kind"], readonly string[]> = {
  person: [],
  agent: ["sessionId", "name"],
  program: [],
};

function isText(value: unknown): boolean {
  return value === undefined || typeof value === "string";
}
