/** Asking git, with a deadline. What other rooms use of it. */
export { type BlobAuthor, type BlobAuthors, readBlobAuthors } from "./blob-authors.js";
export { blobIds } from "./blob-ids.js";
export { plainPaths, readFileBlobs, readRawLine, readTree } from "./blobs.js";
export { linesOf } from "./file-changes.js";
export { type LineAuthor, readLineAuthors } from "./line-authors.js";
export { type GitLimits, runGit, shareLimits } from "./run-git.js";
