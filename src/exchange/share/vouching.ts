import { type BlobAuthor, type BlobAuthors, readBlobAuthors } from "../../base/git/git.js";
import type { FoundFile } from "./shared-files.js";
import { sharedPath } from "./shared-folder.js";
import { emailKey, type SharedReview } from "./shared-reviews.js";

/** What is known of whoever shares here. */
export interface Vouching {
  /** A person runs this, or their program: what they committed themselves counts. */
  isByUser: boolean;
  trusted: ReadonlySet<string>;
  reviews: readonly SharedReview[];
}

/** Who a text of a shared file comes from, and whether that is enough. */
export interface Origin {
  isVouched: boolean;
  /** As git has it, for people: `Ann <ann@example.org>`. Undefined where no commit has the text. */
  sharedBy?: string;
  /** Why it waits, for a person. */
  reason: string;
}

/** Who changed files, asked of git once for all of them; not at all where nothing changed. */
export async function findOrigins(
  root: string,
  files: readonly FoundFile[],
  vouching: Vouching,
  timeoutMs: number,
): Promise<{ origins: Map<string, Origin>; authors: () => Promise<BlobAuthors> }> {
  let asked: Promise<BlobAuthors> | undefined;
  const authors = () => (asked ??= readBlobAuthors(root, sharedPath, { timeoutMs }));
  const origins = new Map<string, Origin>();
  const approved = new Set(vouching.reviews.flatMap((one) => (one.answer === "approved" ? [one.fileHash] : [])));
  for (const { path, hash, text } of files) {
    if (text === undefined) continue;
    const found = (await authors()).of(`${sharedPath}/${path}`, text);
    const origin = originOf(found, vouching);
    origins.set(path, approved.has(hash) ? { ...origin, isVouched: true } : origin);
  }
  return { origins, authors };
}

/** Whether somebody's commit may take a memory away. */
export function mayRemove(author: BlobAuthor | undefined, vouching: Vouching): boolean {
  return author !== undefined && counts(author, vouching);
}

/** A commit may name anybody anything, and this is read by people and by agents: nothing but a name and an address. */
export function nameOf({ name, email }: BlobAuthor): string {
  const plain = name.replace(/[^\p{L}\p{M}\p{N} .'-]/gu, "").trim();
  return `${plain.slice(0, longestName)} <${email.replace(/[^\p{L}\p{N}.@_+-]/gu, "").slice(0, longestEmail)}>`.trim();
}

const longestName = 40;
const longestEmail = 80;

function originOf(authors: readonly BlobAuthor[], vouching: Vouching): Origin {
  const author = authors.find((one) => counts(one, vouching)) ?? authors[0];
  if (!author)
    return { isVouched: false, reason: "It lies in the work tree and no commit has it, so nobody knows whose it is." };
  const sharedBy = nameOf(author);
  const isTrusted = vouching.trusted.has(emailKey(author.email));
  const more = isTrusted ? ", whom you trust, but the remote's default branch does not have it yet" : "";
  const own = author.isOwn ? ", in a commit made here: tacit share takes it in" : more;
  return { isVouched: counts(author, vouching), sharedBy, reason: `Shared by ${sharedBy}${own}.` };
}

function counts({ email, isOwn, isMerged }: BlobAuthor, { isByUser, trusted }: Vouching): boolean {
  return (isByUser && isOwn) || (isMerged && trusted.has(emailKey(email)));
}
