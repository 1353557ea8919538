import type { Project } from "../../project/project.js";
import type { Reader, Row, Writer } from "../../storage/storage.js";

/** A text of a shared file that a person has to look at, or has. */
export interface SharedReview {
  root: string;
  fileHash: string;
  /** The memory that shows it; absent where a person approved the folder as a whole. */
  memoryId?: string;
  /** The memory that the file stands for. */
  targetId?: string;
  sharedBy?: string;
  answer?: "approved" | "refused";
}

const columns = "root, file_hash, memory_id, target_id, shared_by, answer";

export async function listReviews(reader: Reader, project: Project): Promise<SharedReview[]> {
  const rows = await reader.rows(`SELECT ${columns} FROM shared_reviews WHERE project_number = :project`, {
    project: project.number,
  });
  return rows.map(toReview);
}

/** The open question that a memory stands for. */
export async function findOpenReview(
  reader: Reader,
  project: Project,
  memoryId: string,
): Promise<SharedReview | undefined> {
  const [row] = await reader.rows(
    `SELECT ${columns} FROM shared_reviews
     WHERE project_number = :project AND memory_id = :memoryId AND answer IS NULL`,
    { project: project.number, memoryId },
  );
  return row && toReview(row);
}

/** Whether a text was approved and not imported yet. */
export async function isApproved(reader: Reader, project: Project, fileHash: string): Promise<boolean> {
  return (await listReviews(reader, project)).some((one) => one.fileHash === fileHash && one.answer === "approved");
}

export async function writeReview(writer: Writer, project: Project, review: SharedReview): Promise<void> {
  await writer.run(
    `INSERT INTO shared_reviews (project_number, ${columns})
     VALUES (:project, :root, :fileHash, :memoryId, :targetId, :sharedBy, :answer)
     ON CONFLICT (project_number, root, file_hash) DO UPDATE SET memory_id = excluded.memory_id,
       target_id = excluded.target_id, shared_by = excluded.shared_by, answer = excluded.answer`,
    {
      project: project.number,
      root: review.root,
      fileHash: review.fileHash,
      memoryId: review.memoryId ?? null,
      targetId: review.targetId ?? null,
      sharedBy: review.sharedBy ?? null,
      answer: review.answer ?? null,
    },
  );
}

/** An approval is for the text as it came: once that is imported, the same text is news again when it comes back. */
export async function dropReviews(
  writer: Writer,
  project: Project,
  fileHashes: readonly string[],
  which: "approved" | "open",
): Promise<void> {
  if (fileHashes.length === 0) return;
  await writer.run(
    `DELETE FROM shared_reviews WHERE project_number = :project AND file_hash IN (SELECT value FROM json_each(:hashes))
       AND ${which === "approved" ? "answer = 'approved'" : "answer IS NULL"}`,
    { project: project.number, hashes: JSON.stringify(fileHashes) },
  );
}

/** Whose shared memories count without a review once they are merged. */
export async function listTrustedAuthors(reader: Reader, project: Project): Promise<Set<string>> {
  const rows = await reader.rows("SELECT email FROM trusted_authors WHERE project_number = :project", {
    project: project.number,
  });
  return new Set(rows.map((row) => String(row["email"])));
}

export async function trustAuthor(writer: Writer, project: Project, email: string, trusted: boolean): Promise<void> {
  await writer.run(
    trusted
      ? "INSERT INTO trusted_authors (project_number, email) VALUES (:project, :email) ON CONFLICT DO NOTHING"
      : "DELETE FROM trusted_authors WHERE project_number = :project AND email = :email",
    { project: project.number, email: emailKey(email) },
  );
}

export function emailKey(email: string): string {
  return email.trim().toLowerCase();
}

function toReview(row: Row): SharedReview {
  const text = (name: string) => (row[name] === null ? undefined : String(row[name]));
  const [memoryId, targetId, sharedBy] = [text("memory_id"), text("target_id"), text("shared_by")];
  const answer = text("answer") as SharedReview["answer"];
  return {
    root: String(row["root"]),
    fileHash: String(row["file_hash"]),
    ...(memoryId !== undefined && { memoryId }),
    ...(targetId !== undefined && { targetId }),
    ...(sharedBy !== undefined && { sharedBy }),
    ...(answer !== undefined && { answer }),
  };
}
