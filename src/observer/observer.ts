/**
 * observer: what agents do, watched and made into what is worth knowing: events, notes, the scratchpad of a session, one
 * file for each signal, the trust gate, promotion, and what several sessions tell together.
 *
 * While a session goes on it writes to a spool file and never to the database. It refuses to talk to agents: what they
 * are told, and when, is decided elsewhere.
 */
export type { AgentEvent, Deed, Outcome, QaIssue } from "./events/event.js";
