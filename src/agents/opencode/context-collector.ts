/** Which comes first. */
export type Priority = "critical" | "high" | "normal" | "low";

/** Something that is to go along with a session's next message. */
export interface ContextEntry {
  /** What it is, such as `relevant-memories`: another one with the same id takes its place. */
  id: string;
  /** Where it is from, such as `tacit`. */
  source: string;
  content: string;
  priority: Priority;
}

/** What is to go along with the next message of each session. Bounded: of what is too much, the least important goes. */
export interface ContextCollector {
  register(sessionId: string, entry: ContextEntry): void;
  /** Everything that was registered for a session, the most important first, and among equals the oldest; then it is gone. */
  consume(sessionId: string): ContextEntry[];
}

const order: readonly Priority[] = ["critical", "high", "normal", "low"];
// More than one program registers for a message.
const maxEntries = 20;
// Sessions that register and never say anything.
const maxSessions = 100;

export function openContextCollector(): ContextCollector {
  const sessions = new Map<string, ContextEntry[]>();
  return {
    register: (sessionId, entry) => {
      const others = (sessions.get(sessionId) ?? []).filter(({ id }) => id !== entry.id);
      // The newest session at the end, so that the first is the one that was silent longest.
      sessions.delete(sessionId);
      sessions.set(sessionId, sorted([...others, entry]).slice(0, maxEntries));
      const [oldest] = sessions.keys();
      if (sessions.size > maxSessions && oldest !== undefined) sessions.delete(oldest);
    },
    consume: (sessionId) => {
      const entries = sessions.get(sessionId) ?? [];
      sessions.delete(sessionId);
      return entries;
    },
  };
}

function sorted(entries: readonly ContextEntry[]): ContextEntry[] {
  return entries.toSorted((a, b) => order.indexOf(a.priority) - order.indexOf(b.priority));
}
