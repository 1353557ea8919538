/**
 * agents: what the plug-in of each agent hears and says. What a hook is told becomes a moment at which its agent may be
 * told something, and what it is to be told becomes the hook's answer.
 *
 * It translates. It refuses to choose what is told (injection), to note what was done (observer), and to open a store.
 */

/** A command of Tacit that a person typed to an agent, and that needs no model. */
export type TypedCommand = { name: "remember"; text: string } | { name: "memory-review" };
