/** Every way in which Tacit says no. Programs match on these; they are only ever added to. */
export type MemoryErrorCode =
  // what the caller asked for
  | "usage"
  | "invalid-input"
  | "content-refused"
  | "memory-not-found"
  | "memory-forgotten"
  | "memory-changed"
  | "session-tainted"
  | "agent-refused"
  | "name-taken"
  | "archive-kept"
  | "undo-refused"
  | "disabled"
  | "import-refused"
  | "export-refused"
  | "share-refused"
  | "folder-pending"
  | "reference-ambiguous"
  | "node-not-found"
  // what the store could not do
  | "store-locked"
  | "store-full"
  | "store-read-only"
  | "store-unreachable"
  | "store-damaged"
  | "store-not-a-database"
  | "store-foreign"
  | "store-newer"
  | "store-closed"
  | "store-failed"
  | "store-denied"
  | "store-unfit"
  | "store-unsure"
  | "backup-refused"
  | "native-missing"
  | "home-unknown"
  | "home-unsafe"
  // what a configuration file says
  | "config-invalid"
  | "config-unwritable"
  // what a model or its endpoint could not do
  | "model-failed";

/**
 * The one error class of Tacit: a `code` for programs, a `message` that names the exact thing, a `hint` that
 * names the next step, and the `cause` kept.
 *
 * @example
 * try { await memory.forget("deploy-rule") } catch (error) {
 *   if (error instanceof MemoryError && error.code === "memory-not-found") console.error(error.hint)
 * }
 */
export class MemoryError extends Error {
  override readonly name = "MemoryError";
  readonly code: MemoryErrorCode;
  readonly hint: string;

  constructor(code: MemoryErrorCode, message: string, hint: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
    this.hint = hint;
  }
}
