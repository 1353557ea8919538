import { createHash } from "node:crypto";

/**
 * What git calls a file that holds these bytes, in both of its hashes. By its bytes: what is no UTF-8 has another text once it was
 * decoded. With the line ends as well that a checkout may have turned.
 */
export function blobIds(bytes: Uint8Array): string[] {
  const text = Buffer.from(bytes).toString("latin1");
  const plain = text.replaceAll("\r\n", "\n");
  return [...new Set([text, plain, plain.replaceAll("\n", "\r\n")])].flatMap((each) =>
    ["sha1", "sha256"].map((hash) =>
      createHash(hash).update(`blob ${each.length}\0`).update(each, "latin1").digest("hex"),
    ),
  );
}
