/**
 * The module that a file belongs to: its first two folders, which is its package in a workspace.
 *
 * @example
 * moduleOf("src/auth/tokens/jwt.ts") // "src/auth"
 * moduleOf("packages/core/src/a.ts") // "packages/core"
 * moduleOf("README.md")              // "."
 */
export function moduleOf(file: string): string {
  return file.split("/").slice(0, -1).slice(0, 2).join("/") || ".";
}
