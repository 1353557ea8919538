import { Store } from "../../src/storage/storage.js";
import type { MemoryInput, TacitMemory } from "../../src/index.js";
import { files, newText, oldText, type Stage } from "./change-stage.js";
import type { WritingVerb } from "./writing-verb.js";

export const input: MemoryInput = { type: "decision", content: newText, relatedFiles: files };
const before: MemoryInput = { type: "decision", content: oldText, relatedFiles: ["src/pay.ts"] };

/** One that says something else, and one that says what is new already. */
export const older = async (memory: TacitMemory) => (await memory.remember(before)).id;
export const known = async (memory: TacitMemory) => (await memory.remember({ ...input, name: "limit" })).id;
const forgotten = async (memory: TacitMemory) => {
  const id = await known(memory);
  // One that is forgotten before it has a vector gets it when it is back.
  await memory.embedPending();
  return (await memory.forget(id)).id;
};
/** What an agent says that has read from the web waits for a person. */
const waiting = async (memory: TacitMemory, said: MemoryInput) => {
  memory.observe({
    sessionId: "s",
    kind: "call",
    callId: "1",
    tool: "WebFetch",
    input: { url: "https://example.com" },
  });
  memory.observe({ sessionId: "s", kind: "result", callId: "1", tool: "WebFetch", text: "text" });
  return (await memory.as({ kind: "agent", sessionId: "s" }).remember(said)).id;
};

const again = "it is the same text";
const isSilent = "what is forgotten is not found";
const inNoFile = "what is not in force stands in no file";

/** The verbs for single memories, on top of the public object and in its part `review`. */
export const editingVerbs: WritingVerb[] = [
  { name: "memory.remember", does: "states", makes: true, act: async (memory) => (await memory.remember(input)).id },
  {
    name: "memory.remember",
    of: "the same once more, with a tag",
    does: "changes",
    given: known,
    act: async (memory) => (await memory.remember({ ...input, tags: ["money"] })).id,
  },
  {
    name: "memory.rememberMany",
    does: "states",
    makes: true,
    act: async (memory) => (await memory.rememberMany([{ content: "Carts expire" }, input]))[1]?.id,
  },
  {
    name: "memory.revise",
    of: "its text",
    does: "states",
    given: older,
    act: async (memory, _, id) => void (await memory.revise(id, { content: newText, relatedFiles: files })),
  },
  {
    name: "memory.revise",
    of: "a field",
    does: "changes",
    given: known,
    act: async (memory, _, id) => void (await memory.revise(id, { confidence: 0.9 })),
  },
  {
    name: "memory.revise",
    of: "its files",
    does: "changes",
    given: async (memory) => (await memory.remember({ type: "decision", content: newText })).id,
    act: async (memory, _, id) => void (await memory.revise(id, { relatedFiles: files })),
    but: {
      links: ["reached", "it names a file now that defines the symbol"],
      concepts: ["reached", "it names a pattern now"],
      embedding: ["reached", "a vector tells of the files, too"],
      grounding: ["reached", "it rests on another file now"],
    },
  },
  {
    name: "memory.supersede",
    does: "states",
    makes: true,
    act: async (memory) => (await memory.supersede(await older(memory), input)).id,
  },
  {
    name: "memory.supersede",
    of: "by one that takes over its files",
    does: "states",
    makes: true,
    act: async (memory) => {
      const { id } = await memory.remember({ ...before, relatedFiles: files });
      return (await memory.supersede(id, { content: newText })).id;
    },
  },
  {
    name: "memory.supersede",
    of: "the memory that gives way",
    does: "changes",
    given: known,
    act: async (memory, _, id) => void (await memory.supersede(id, { content: oldText })),
    but: { words: ["gone", "what is superseded is not found"], "memory-file": ["counted", inNoFile] },
  },
  {
    name: "memory.rename",
    does: "changes",
    given: known,
    act: async (memory, _, id) => void (await memory.rename(id, "card-limit")),
  },
  {
    name: "memory.alias",
    does: "changes",
    given: known,
    act: async (memory, _, id) => void (await memory.alias(id, ["card-limit"])),
  },
  {
    name: "memory.alias",
    of: "the memory that loses the name",
    does: "changes",
    given: known,
    act: async (memory) => void (await memory.alias(await older(memory), ["limit"], { rebind: true })),
  },
  {
    name: "memory.unalias",
    does: "changes",
    given: async (memory) => (await memory.alias(await known(memory), ["card-limit"])).id,
    act: async (memory) => void (await memory.unalias("card-limit")),
  },
  {
    name: "memory.relate",
    does: "changes",
    given: known,
    act: async (memory, _, id) => void (await memory.relate(id, { kind: "documents", file: "src/cart.ts" })),
    but: { grounding: ["reached", "it rests on another file now"] },
  },
  {
    name: "memory.unrelate",
    does: "changes",
    given: async (memory) => (await memory.relate(await known(memory), { kind: "documents", file: "src/cart.ts" })).id,
    act: async (memory, _, id) => void (await memory.unrelate(id, { kind: "documents", file: "src/cart.ts" })),
    but: { grounding: ["reached", "it no longer rests on that file"] },
  },
  {
    name: "memory.verify",
    does: "changes",
    given: known,
    act: async (memory, _, id) => void (await memory.verify(id)),
    but: { grounding: ["reached", "it is found true of the code as it is now"] },
  },
  {
    name: "memory.flag",
    does: "changes",
    given: known,
    act: async (memory, _, id) => void (await memory.flag(id, "It depends on the bank.")),
    but: {
      words: ["gone", "what is flagged is not found"],
      "memory-file": ["counted", inNoFile],
      counters: ["reached", "what use had proved counts no more"],
    },
  },
  {
    name: "memory.pin",
    does: "changes",
    given: known,
    act: async (memory, _, id) => void (await memory.pin(id)),
  },
  {
    name: "memory.undo",
    of: "a correction",
    does: "states",
    given: async (memory) => {
      const { id } = await memory.remember(input);
      return (await memory.revise(id, { content: oldText, relatedFiles: ["src/cart.ts"] })).id;
    },
    act: async (memory, _, id) => void (await memory.undo(id)),
    but: {
      concepts: ["untouched", "a pattern stays where it was named once"],
    },
  },
  {
    name: "memory.undo",
    of: "a forgetting",
    does: "changes",
    given: forgotten,
    act: async (memory, _, id) => void (await memory.undo(id)),
    but: { grounding: ["reached", "the code may have changed meanwhile"] },
  },
  {
    name: "memory.forget",
    does: "changes",
    given: known,
    act: async (memory, _, id) => void (await memory.forget(id)),
    but: { words: ["gone", isSilent], "memory-file": ["counted", inNoFile] },
  },
  {
    name: "memory.forgetMany",
    does: "changes",
    given: known,
    act: async (memory, _, id) => void (await memory.forgetMany([id])),
    but: { words: ["gone", isSilent], "memory-file": ["counted", inNoFile] },
  },
  {
    name: "memory.restore",
    does: "changes",
    given: forgotten,
    act: async (memory, _, id) => void (await memory.restore(id)),
    but: { grounding: ["reached", "the code may have changed meanwhile"] },
  },
  {
    name: "memory.purge",
    does: "removes",
    given: known,
    act: async (memory, _, id) => void (await memory.purge(id)),
  },
  {
    name: "memory.review.accept",
    of: "with another text",
    does: "states",
    given: async (memory) => waiting(memory, before),
    act: async (memory, _, id) => void (await memory.review.accept(id, { content: newText })),
    but: {
      concepts: ["untouched", "a person gives it another text, and no other files"],
      counters: ["untouched", "what waited was not used"],
    },
  },
  {
    name: "memory.review.accept",
    of: "as it is",
    does: "changes",
    given: async (memory) => waiting(memory, input),
    act: async (memory, _, id) => void (await memory.review.accept(id)),
    but: {
      words: ["untouched", again],
      contradictions: ["reached", "it is in force from now on"],
      grounding: ["reached", "it is found true of the code as it is now"],
    },
  },
  {
    name: "memory.review.reject",
    does: "changes",
    given: async (memory) => waiting(memory, input),
    act: async (memory, _, id) => void (await memory.review.reject(id)),
    but: { words: ["gone", isSilent], "memory-file": ["counted", inNoFile] },
  },
  {
    name: "memory.store.prune",
    of: "what nobody used for long",
    does: "changes",
    given: async (memory) => (await memory.remember({ ...input, halfLifeDays: 1 })).id,
    now: () => new Date(Date.now() + 4 * day),
    act: async (memory) => void (await memory.store.prune()),
    but: { words: ["gone", isSilent], "memory-file": ["counted", inNoFile] },
  },
  {
    name: "memory.store.prune",
    of: "what was forgotten long ago",
    does: "removes",
    given: forgotten,
    now: () => new Date(Date.now() + 31 * day),
    act: async (memory) => void (await memory.store.prune()),
  },
  {
    name: "memory.store.cleanUp",
    does: "removes",
    given: forgotten,
    now: () => new Date(Date.now() + 31 * day),
    act: async (memory) => void (await memory.store.cleanUp()),
  },
  {
    name: "memory.close",
    of: "prunes once a day",
    does: "removes",
    given: forgotten,
    now: () => new Date(Date.now() + 31 * day),
    act: async (memory) => memory.close(),
    but: { share: ["untouched", "a memory that is closed looks at nothing"] },
  },
  {
    name: "memory.store.repair",
    of: "a damaged text",
    does: "states",
    given: older,
    act: async (memory, stage, id) => {
      await damage(stage, id);
      await memory.store.repair();
    },
    but: {
      words: ["gone", "it is flagged until a person has looked at it"],
      concepts: ["untouched", "the text was damaged, and no file"],
      contradictions: ["untouched", "it is flagged until a person has looked at it"],
      "memory-file": ["counted", "it is flagged until a person has looked at it"],
    },
  },
];

const day = 86_400_000;

/** The disk puts another text there; its hash is that of the old one. */
async function damage({ db }: Stage, id: string): Promise<void> {
  const store = new Store({ db, timeoutMs: 5000 });
  await store.write((writer) => writer.run("UPDATE memories SET content = :newText WHERE id = :id", { newText, id }));
  await store.close();
}
