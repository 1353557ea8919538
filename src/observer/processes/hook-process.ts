// A hook is a bundle and loads the rest of the product beside it: what one of them knows the other must know, too.
const key = Symbol.for("tacit-memory.hook");
const shared = globalThis as { [key]?: true };

/** Says that this process answers a hook. Its command line says nothing: any command may have the same words in it. */
export function markHookProcess(): void {
  shared[key] = true;
}

/** Whether what runs here is a hook, and no other command. */
export function isHookProcess(): boolean {
  return shared[key] === true;
}
