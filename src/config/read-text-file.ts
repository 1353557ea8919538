import { readFile, stat } from "node:fs/promises";
import { MemoryError } from "../base/memory-error.js";

// All settings together take 1 KiB. More than this is some other file.
const largestBytes = 1024 * 1024;

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** The text of a small file, its byte order mark included. Never waits: a pipe or a folder is refused unopened. */
export async function readTextFile(file: string): Promise<string> {
  try {
    const found = await stat(file);
    if (!found.isFile()) throw refusal(`${file} is no file.`, "Move it away, or make it a file.");
    if (found.size > largestBytes) throw refusal(`${file} is larger than 1 MiB.`, "Keep nothing but settings in it.");
    return decoder.decode(await readFile(file));
  } catch (error) {
    if (error instanceof MemoryError) throw error;
    if (error instanceof TypeError) throw refusal(`${file} is not UTF-8 text.`, "Save it as UTF-8.", error);
    const { code } = error as NodeJS.ErrnoException;
    throw refusal(`${file} cannot be read (${code}).`, "Check that it exists and that you may read it.", error);
  }
}

function refusal(message: string, hint: string, cause?: unknown): MemoryError {
  return new MemoryError("config-invalid", message, hint, cause);
}
