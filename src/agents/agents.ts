/**
 * agents: what the plug-in of each agent hears and says. What an agent does becomes an event, and a moment at which it may be
 * told something; what it is to be told becomes a hook's answer, a message, or a part of a tool's output.
 *
 * It translates. It refuses to choose what is told (injection), to learn from what was done (observer), and to break or
 * delay the agent that it works for.
 */

/** A command of Tacit that a person typed to an agent, and that needs no model. */
export type TypedCommand = { name: "remember"; text: string; line: string } | { name: "memory-review"; line: string };
