/** What tools of agents say when they cannot do as they were told, in words of our own: theirs speak to the agent. */
const refusals: [pattern: RegExp, kind: string, message: string][] = [
  [
    /string to replace not found|old_?str(?:ing)? (?:was )?not found|did not appear verbatim|could not find (?:the )?(?:old|search) ?(?:_?str|text|content|block)|failed to find (?:expected lines|context)|search block .{0,40}not found/i,
    "old text not found",
    "String to replace not found in file",
  ],
  [
    /matches of the string to replace|(?:multiple|more than one) (?:matches|occurrences)|not unique in the file|found multiple times/i,
    "old text not unique",
    "String to replace is not unique in the file",
  ],
  [/has not been read yet|must (?:first )?read the file|read it first/i, "not read yet", "File has not been read yet"],
  [
    /(?:been|was) (?:unexpectedly )?modified since|changed since (?:it was )?(?:last )?read|modified since it was last read/i,
    "modified since read",
    "File has been modified since read",
  ],
  [/file (?:does not|doesn't) exist|file not found|no such file or directory/i, "ENOENT", "File does not exist"],
  [/old_?string and new_?string (?:are|must be)|no changes to make/i, "no change", "Nothing to change in file"],
  [/exceeds maximum allowed|file (?:is )?too large/i, "too large", "File is too large to read at once"],
  [/is a directory|EISDIR/i, "EISDIR", "Path is a directory"],
];

// A refusal is short and comes first; further on stands what a file says.
const looksAt = 400;

/** The refusal of a tool that reads or edits files, if its answer is one. */
export function refusalOf(text: string): { kind: string; message: string } | undefined {
  const start = text.slice(0, looksAt);
  const found = refusals.find(([pattern]) => pattern.test(start));
  return found && { kind: found[1], message: found[2] };
}

/** True where a person said no: nothing went wrong with the code. */
export function isRefusedByUser(text: string): boolean {
  return /user (?:doesn't want|does not want|rejected|declined|denied|chose not)|\[Request interrupted by user|permission (?:to use|was) .{0,80}(?:denied|not granted)/i.test(
    text.slice(0, looksAt),
  );
}
