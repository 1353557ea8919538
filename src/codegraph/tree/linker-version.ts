/** Raised whenever the same facts link to something else: every file is then linked anew. */
export const linkerVersion = 3;
