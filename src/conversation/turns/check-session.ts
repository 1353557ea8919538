import { MemoryError } from "../../base/memory-error.js";
import { cleanText } from "../../hygiene/hygiene.js";

const longestSession = 200;

/** The id of a session, which is stored as it is given; one that holds what may not be stored is refused. */
export async function checkSession(sessionId: unknown): Promise<string> {
  if (typeof sessionId !== "string" || sessionId.trim() === "" || sessionId.length > longestSession) {
    throw new MemoryError(
      "invalid-input",
      "A conversation needs the id of its session: a text of at most 200 characters.",
      'For example conversation("2026-11-16-refactoring").',
    );
  }
  const { text } = await cleanText(sessionId, "sessionId");
  if (text === sessionId) return sessionId;
  // Stored otherwise, two of them could become one, and whoever asks by the id that they gave would find nothing.
  throw new MemoryError(
    "invalid-input",
    "The id of this session holds a secret, a private part or characters that nobody sees.",
    "Give the session another id; what is secret does not belong in one.",
  );
}
