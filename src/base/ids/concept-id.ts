/** What code can be about, beyond what its text says: a way of building that repeats, something that was decided. */
export const conceptKinds = ["pattern", "decision"] as const;
export type ConceptKind = (typeof conceptKinds)[number];

export interface ConceptName {
  kind: ConceptKind;
  name: string;
}

const longestBytes = 256;

/**
 * The id of a pattern or a decision among the nodes of the code. However it is written, it is one: small letters, and a
 * hyphen for whatever separates words. Undefined where no letter is left: `decision:12` would be a line of a file; and where
 * it is longer than the name of a memory may be.
 *
 * @example conceptId("decision", "JWT over sessions") // "decision:jwt-over-sessions"
 */
export function conceptId(kind: ConceptKind, name: string): string | undefined {
  const plain = name
    .normalize("NFC")
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{M}\p{N}._+]+/gu, "-")
    .replaceAll(/^[-.]+|[-.]+$/g, "");
  return /\p{L}/u.test(plain) && Buffer.byteLength(plain) <= longestBytes ? `${kind}:${plain}` : undefined;
}

/** What an id in any spelling names; undefined for what is a file, a symbol or anything else. */
export function parseConceptId(id: string): (ConceptName & { id: string }) | undefined {
  const [, written = "", rest = ""] = /^(pattern|decision):(.*)$/is.exec(id.trim()) ?? [];
  const kind = conceptKinds.find((one) => one === written.toLowerCase());
  const whole = kind && conceptId(kind, rest);
  return kind && whole !== undefined ? { id: whole, kind, name: whole.slice(kind.length + 1) } : undefined;
}
