/** The key of a memory's metadata under which it says who shared it: from git, never from its file. */
export const sharedByKey = "shared_by";
