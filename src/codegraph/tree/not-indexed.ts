import { MemoryError } from "../../base/memory-error.js";

export function notIndexed(): MemoryError {
  return new MemoryError("node-not-found", "The code of this folder is not indexed.", "Run: tacit index");
}
