import { createHash } from "node:crypto";
import type { Project } from "./projects.js";

/**
 * The id that a project gives to what has an id of another project of the store: an id is one memory's only. Always the
 * same, so that whoever comes again is recognised.
 */
export function ownId(project: Project, id: string): string {
  const hex = createHash("sha256").update(`${project.id}\n${id}`).digest("hex");
  // Version 8: a UUID whose bits mean what its maker likes.
  const parts = [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `8${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ];
  return parts.join("-");
}
