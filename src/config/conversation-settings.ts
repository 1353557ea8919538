import { isOff, type Setting } from "./setting.js";

export const conversationSettings: readonly Setting[] = [
  {
    name: "keepTurns",
    default: true,
    purpose: "whether what is said in sessions of agents is kept, for 30 days or as long as an archive leads to it",
    expected: "true or false",
    schema: { type: "boolean" },
    isStricter: isOff,
  },
  {
    name: "windowTurns",
    default: 5,
    purpose: "how many turns the window of a conversation shows; what is asked and what is answered are one",
    expected: "a whole number from 1",
    schema: { type: "integer", minimum: 1 },
  },
  {
    name: "memoryWindow",
    default: 50,
    purpose: "beyond how many messages that no archive sums up a conversation is consolidated",
    expected: "a whole number from 1",
    schema: { type: "integer", minimum: 1 },
  },
  {
    name: "keepCount",
    // What the window shows by default: five questions and their answers.
    default: 10,
    purpose: "how many messages stay as they are when a conversation is consolidated",
    expected: "a whole number from 0",
    schema: { type: "integer", minimum: 0 },
  },
  {
    name: "consolidationTimeout",
    default: 30_000,
    purpose: "how many milliseconds a model has to consolidate a conversation; then everything is kept as it is",
    expected: "a whole number from 1",
    schema: { type: "integer", minimum: 1, maximum: 600_000 },
  },
  {
    name: "maxMemorySize",
    default: 8192,
    purpose: "how many bytes MEMORY.md may have; what is least worth telling is left out",
    expected: "a whole number from 512",
    schema: { type: "integer", minimum: 512, maximum: 1_048_576 },
  },
  {
    name: "memoryFolder",
    default: null,
    purpose:
      "where MEMORY.md and HISTORY.md are: a path below the project, or an absolute one with a folder for each project; null is below Tacit's own folder",
    expected: "a path, or null",
    schema: { type: ["string", "null"], pattern: "^[^\\u0000-\\u001F]+$" },
    // Files are written there.
    isUsersAlone: true,
  },
];
