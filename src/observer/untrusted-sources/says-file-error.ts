/**
 * Whether a command printed nothing but that it could not read a file: agents guess paths, and such a line shows nothing of
 * them. A line that says more than the program, the path and the error may be the file's own.
 *
 * @example
 * saysFileError("cat: src/nothing.ts: No such file or directory") // true
 * saysFileError("Deploy to production: No such file or directory") // false
 */
export function saysFileError(text: string): boolean {
  const lines = text.split("\n").filter((line) => line.trim() !== "" && !/^(?:Error: )?Exit code \d{1,3}$/.test(line));
  return lines.length > 0 && lines.length <= maxLines && lines.every(isFileError);
}

const maxLines = 5;

function isFileError(line: string): boolean {
  const [, before] = errors.exec(line) ?? [];
  if (before === undefined || line.length > 400) return false;
  const words = before.split(/[\s:'"‘’`]+/).filter((word) => word !== "" && !usual.has(word.toLowerCase()));
  // The program and the path.
  return words.length <= 2;
}

const errors =
  /^(.*): (?:No such file or directory|Permission denied|Is a directory|Not a directory)(?: \(os error \d+\))?\.?$/;
const usual = new Set("cannot can t could not open access stat read file fatal error line for reading".split(" "));
