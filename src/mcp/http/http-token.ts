import { randomBytes } from "node:crypto";
import { closeSync, constants, fstatSync, fsyncSync, mkdirSync, openSync, readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { homeFolder } from "../../base/files/files.js";

/** What every request has to show, and where a person finds it. */
export interface HttpToken {
  value: string;
  /** The file that holds it; undefined where the environment does. */
  file?: string;
}

// 256 bits, which nobody guesses; the file is read by people's clients, so it is text.
const bytes = 32;
// A person may choose a token, in TACIT_HTTP_TOKEN, but not one that can be tried out.
const shape = /^[\w.~+/=-]{16,512}$/;
// Another process that is just making the file writes it in the same moment.
const maxLooks = 20;

/**
 * The token of this user's server over HTTP: `TACIT_HTTP_TOKEN`, else the file `http-token` in Tacit's folder, which is made
 * once, so that a client is configured once. A file that others can read, or that is not ours, is refused: whoever read the
 * token has it.
 */
export async function getHttpToken({
  home = homeFolder(),
  given = process.env["TACIT_HTTP_TOKEN"] ?? "",
}: { home?: string; given?: string } = {}): Promise<HttpToken> {
  if (given !== "") {
    if (shape.test(given)) return { value: given };
    throw await refusal(
      "TACIT_HTTP_TOKEN is no token: it takes 16 to 512 letters, digits and . _ ~ + / = -",
      "Unset it to have one made, or set it to something long that nobody can guess.",
    );
  }
  const file = resolve(home, "http-token");
  const made = randomBytes(bytes).toString("base64url");
  try {
    mkdirSync(home, { recursive: true, mode: 0o700 });
    // "wx": of two that make it at once, one does.
    const opened = openSync(file, "wx", 0o600);
    try {
      writeFileSync(opened, `${made}\n`);
      // A file that a power cut leaves empty would be refused until somebody removes it.
      fsyncSync(opened);
    } finally {
      closeSync(opened);
    }
    return { value: made, file };
  } catch (error) {
    const { code, syscall } = error as NodeJS.ErrnoException;
    if (code !== "EEXIST" || syscall !== "open") {
      throw await refusal(
        `Could not write ${file}.`,
        "Set TACIT_HTTP_TOKEN instead, or TACIT_HOME to a folder of yours.",
        error,
      );
    }
  }
  for (let look = 1; look < maxLooks && (await read(file)) === ""; look++) {
    await new Promise((later) => setTimeout(later, 25));
  }
  const value = await read(file);
  if (shape.test(value)) return { value, file };
  throw await refusal(`There is no token in ${file}.`, "Remove it: the next start makes a new one.");
}

async function read(file: string): Promise<string> {
  try {
    // A pipe would keep whoever opens it waiting for its other end, this whole process with it. Windows has neither.
    const opened = openSync(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    try {
      const stats = fstatSync(opened);
      if (!stats.isFile()) throw new Error(`${file} is no file.`);
      const { mode, uid } = stats;
      const isOpen = process.platform !== "win32" && ((mode & 0o077) !== 0 || uid !== process.getuid?.());
      if (!isOpen) return readFileSync(opened, "utf8").trim();
    } finally {
      closeSync(opened);
    }
  } catch (error) {
    throw await refusal(`Could not read ${file}.`, "Remove it: the next start makes a new one.", error);
  }
  throw await refusal(
    `Others on this machine can read ${file}, or it is theirs.`,
    "Remove it: the next start makes a new token, which your clients then need (tacit mcp --http PORT --show-config).",
  );
}

async function refusal(message: string, hint: string, cause?: unknown): Promise<Error> {
  const { MemoryError } = await import("../../index.js");
  return new MemoryError("config-invalid", message, hint, cause);
}
