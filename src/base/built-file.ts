/** The address of a file in dist/, from src/ as well as from dist/ itself: both are equally far below the package. */
export function builtFile(path: string): URL {
  return new URL(`../../dist/${path}`, import.meta.url);
}
