/** Every change of a memory. What other rooms use of it. */
export { elements } from "./field-change.js";
export { type Operation, noteChanges, statedFields } from "./note-changes.js";
export { type HistoryEntry, readHistory } from "./read-history.js";
export { type ChangeVerb, type FieldChanges, type StoredChange, listStoredChanges } from "./stored-changes.js";
