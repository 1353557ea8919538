/** Asking git, with a deadline. What other rooms use of it. */
export { type GitLimits, runGit, shareLimits } from "./run-git.js";
