/** Whether a file is there to be included, and not to be compiled by itself. */
export function isIncludable(path: string): boolean {
  return !/\.(?:c|cc|cpp|cxx|c\+\+)$/i.test(path);
}
