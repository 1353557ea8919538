import { MemoryError } from "../../base/memory-error.js";
import { cleanText } from "../../hygiene/hygiene.js";
import { cleanFields } from "./clean-fields.js";

const longestBytes = 256;

const refusals: [reason: string, applies: (name: string) => boolean][] = [
  ["is empty", (name) => name.trim() === ""],
  ["begins or ends with a blank", (name) => name.trim() !== name],
  // oxlint-disable-next-line no-control-regex -- control characters are what is looked for
  ["holds a control character or line end", (name) => /[\x00-\x1f\x7f-\x9f\u2028\u2029]/.test(name)],
  [`is longer than ${longestBytes} bytes`, (name) => Buffer.byteLength(name) > longestBytes],
  ["has the form of an id", (name) => /^[0-9a-f]{8}(?:(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})?$/i.test(name)],
];

/**
 * A name in the form in which it is stored (NFC), so that it is found however its letters were put together. It must be
 * something that a person can type and that cannot be taken for an id or a short id.
 */
export function checkName(name: string): string {
  const normalised = name.normalize("NFC");
  const refusal = refusals.find(([, applies]) => applies(normalised));
  if (!refusal) return normalised;
  const [reason] = refusal;
  throw new MemoryError(
    "invalid-input",
    `A name ${reason}.`,
    "Choose a short word or phrase, for example deploy-rule.",
  );
}

/** A name as it may be stored, cleaned like every other text; but one that a secret is taken out of is refused. */
export async function prepareName(name: string, cleaner = cleanFields()): Promise<string> {
  if (typeof name !== "string") {
    throw new MemoryError("invalid-input", "A name must be a text.", "For example deploy-rule.");
  }
  const cleaned = await cleaner.label(name, "name");
  if (cleaned !== name && (await cleanText(name, "name")).flags.includes("secret-redacted")) {
    throw new MemoryError(
      "content-refused",
      "A name cannot hold a secret.",
      "Choose a short word, for example deploy-rule.",
    );
  }
  return checkName(cleaned);
}

/** Several names as they may be stored, each once. */
export async function prepareNames(names: readonly string[], cleaner = cleanFields()): Promise<string[]> {
  const prepared = new Set<string>();
  for (const name of names) prepared.add(await prepareName(name, cleaner));
  return [...prepared];
}
