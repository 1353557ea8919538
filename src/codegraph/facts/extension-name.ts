/** What a method is added to a space as that is called on its first argument: no program can name it so. */
export function extensionName(name: string): string {
  return `this ${name}`;
}
