import { MemoryError } from "../base/memory-error.js";
import type { Client } from "./client.js";

/** Checks the address of a server before anything is sent there. No message repeats it: it may hold a secret. */
export function checkAddress(address: string): void {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (!url || url.hostname === "") {
    throw new MemoryError(
      "invalid-input",
      "The address of the database server cannot be read.",
      "It looks like libsql://memory.example.com or http://127.0.0.1:8080.",
    );
  }
  if (url.username !== "" || url.password !== "") {
    throw new MemoryError(
      "invalid-input",
      `The address of ${url.host} holds a user name or a password, which libSQL servers do not take.`,
      "Leave them out, and put the server's token into TACIT_AUTH_TOKEN.",
    );
  }
}

/**
 * Connects to a libSQL server, always over HTTP: of the ways to talk to one, only there can each single wait be ended
 * from outside. No answer takes longer than `timeoutMs`, closing ends what is still under way, and whatever fails is a
 * LibsqlError with a code.
 */
export async function connectRemote(url: string, timeoutMs: number): Promise<Client> {
  const { createClient, LibsqlError } = await import("@libsql/client/http");
  const authToken = process.env["TACIT_AUTH_TOKEN"];
  const waiting = new Set<AbortController>();
  const client = createClient({
    url: url.replace(/^ws(?=s?:)/i, "http"),
    ...(authToken && { authToken }),
    fetch: async (request: Request) => {
      // Not AbortSignal.any() of two signals: once it was garbage collected, no timer fired any more (Node 20).
      const wait = new AbortController();
      const timer = setTimeout(() => wait.abort(new LibsqlError("Too late", "ANSWER_LATE")), timeoutMs);
      waiting.add(wait);
      try {
        const answer = await ask(request, wait.signal);
        if (answer.ok && !answer.isDocument) throw new LibsqlError("An answer of another kind", "NOT_LIBSQL");
        return answer;
      } catch (error) {
        if (error instanceof LibsqlError) throw error;
        throw new LibsqlError("No answer arrived", networkCode(error), undefined, undefined, error as Error);
      } finally {
        clearTimeout(timer);
        waiting.delete(wait);
      }
    },
  });
  const close = client.close.bind(client);
  client.close = () => {
    for (const wait of waiting) wait.abort(new LibsqlError("Closed meanwhile", "CLIENT_CLOSED"));
    close();
  };
  return client;
}

/** As much of a Response as the client looks at. */
interface Answer extends Pick<Response, "ok" | "status" | "headers" | "json" | "text"> {
  isDocument: boolean;
}

/** Waits for the end of the answer too. Its kind is what it is, not what it is called. */
async function ask(request: Request, signal: AbortSignal): Promise<Answer> {
  const response = await fetch(request, { signal });
  const text = await response.text();
  const document = parseDocument(text);
  const isDocument = document !== undefined;
  return {
    ok: response.ok,
    status: response.status,
    headers: new Headers({ "content-type": isDocument ? "application/json" : "text/plain" }),
    json: async () => document,
    text: async () => text,
    isDocument,
  };
}

function parseDocument(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

/** What the network said, such as ECONNREFUSED. */
function networkCode(error: unknown): string {
  const { cause } = error as { cause?: { code?: unknown } };
  return typeof cause?.code === "string" ? cause.code : "NETWORK_FAILED";
}
