import type { MemoryErrorCode } from "../base/memory-error.js";

/** What a caller is told about a failure. */
export type Explanation = [code: MemoryErrorCode, message: string, hint: string];

/**
 * Says what went wrong between us and a server; undefined where it is what goes wrong with a file too, or none of the
 * server's doing. Never in the words of the network: they may hold the address, and the address a token.
 */
export function explainServerError(error: unknown, host: string, timeoutMs: number): Explanation | undefined {
  if (!isOfClient(error)) return undefined;
  const { code, message } = error;
  const lacking = /no such (?:module|function): \w+|near "\w+": syntax error|could not be parsed/.exec(message)?.[0];
  if (lacking !== undefined) {
    return [
      "store-unfit",
      `${host} lacks something that Tacit needs: ${lacking}. Nothing was saved.`,
      "Tacit needs a libSQL server with full text search (FTS5), such as sqld 0.24.",
    ];
  }
  switch (code) {
    case "ANSWER_LATE":
      return [
        "store-unreachable",
        `${host} did not answer within ${timeoutMs} ms. Nothing was saved.`,
        "Is the server running, and the network up? Then try again.",
      ];
    case "CLIENT_CLOSED":
      return closed;
    case "URL_INVALID":
    case "URL_PARAM_NOT_SUPPORTED":
      return [
        "invalid-input",
        `The address of ${host} holds something that no libSQL server understands.`,
        "It looks like libsql://memory.example.com; a token goes into TACIT_AUTH_TOKEN.",
      ];
    case "TRANSACTION_TIMEOUT":
    case "TRANSACTION_BUSY":
    case "STREAM_EXPIRED":
    case "SQLITE_BUSY":
    case "SQLITE_LOCKED":
      return [
        "store-locked",
        `${host} gave this up, because it took too long or others were waiting. Nothing was saved.`,
        "Try again. If it happens with many memories at once, take fewer.",
      ];
    case "RESPONSE_TOO_LARGE":
      return ["store-failed", `${host} does not send so much at once.`, "Ask for less, with a limit."];
    case "SQLITE_READONLY":
    case "BLOCKED":
      return ["store-read-only", `${host} takes no writes at present. Nothing was saved.`, "Ask whoever runs it."];
    case "SERVER_ERROR":
      return explainStatus(statusOf(error), host, message);
    case "NOT_LIBSQL":
    case "HRANA_PROTO_ERROR":
      return notLibsql(host);
    default:
      if (code.startsWith("SQLITE_")) return undefined;
      if (causeName(error) === "ClosedError") return closed;
      if (isAnswer(error)) return ["store-failed", `${host} refused: ${message}`, "Run `tacit doctor`."];
      return [
        "store-unreachable",
        `${host} cannot be reached (${code}). Nothing was saved.`,
        "Is the server running, the address right, and the network up?",
      ];
  }
}

const closed: Explanation = [
  "store-closed",
  "This memory was closed while it was in use.",
  "Open it again with openMemory().",
];

function explainStatus(status: number, host: string, message: string): Explanation {
  if (status === 401 || status === 403) {
    return [
      "store-denied",
      status === 401
        ? `${host} does not let us in. Nothing was saved.`
        : `${host} does not allow this to the token that was given. Nothing was saved.`,
      "Put a valid token that may read and write into TACIT_AUTH_TOKEN.",
    ];
  }
  // What holds a transaction together; a server that was started anew has never seen it.
  if (message.includes("baton")) {
    return ["store-unreachable", `${host} was restarted in the middle of this. Nothing was saved.`, "Try again."];
  }
  if (status === 429 || status >= 500) {
    return [
      "store-unreachable",
      `${host} cannot answer at present (HTTP ${status}). Nothing was saved.`,
      "Try again later, or ask whoever runs it.",
    ];
  }
  return notLibsql(host);
}

function notLibsql(host: string): Explanation {
  return [
    "store-unfit",
    `${host} answers, but not as a libSQL server. Nothing was saved.`,
    "Check the address: the host, the port, and the name of the database.",
  ];
}

/** True when the server was given all the time there was, and did not answer. */
export function isLate(error: unknown): boolean {
  return isOfClient(error) && error.code === "ANSWER_LATE";
}

/** True when the server may have done what it was asked although its answer did not arrive. */
export function isUnanswered(error: unknown): boolean {
  if (!isOfClient(error) || isAnswer(error)) return false;
  const hasRefused = statusOf(error) >= 400 && statusOf(error) < 500;
  // Refused by the system: nobody was there to hear it.
  return !hasRefused && error.code !== "ECONNREFUSED";
}

/** True for what the client to a server throws; everything else is somebody else's mistake. */
function isOfClient(error: unknown): error is Error & { code: string } {
  return error instanceof Error && error.name.startsWith("Libsql") && "code" in error;
}

/** True when the server itself said no to a statement. */
function isAnswer(error: Error): boolean {
  return causeName(error) === "ResponseError";
}

function causeName(error: Error): string | undefined {
  return error.cause instanceof Error ? error.cause.name : undefined;
}

/** Of HTTP; 0 where it does not matter. */
function statusOf(error: Error): number {
  const { status } = (error.cause ?? {}) as { status?: unknown };
  return typeof status === "number" ? status : 0;
}
