/**
 * An argument as one would type it into a shell.
 *
 * @example
 * quoted("two words") // '"two words"'
 */
export function quoteArgument(arg: string): string {
  if (/^[\w./=:@-]+$/.test(arg)) return arg;
  return /["$`\\!]/.test(arg) ? `'${arg.replaceAll("'", String.raw`'\''`)}'` : `"${arg}"`;
}
