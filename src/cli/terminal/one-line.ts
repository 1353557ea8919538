import type { Page } from "./page.js";

// Where nothing has to fit, a memory of 64 KiB must still not bury the others; `show` prints it whole.
export const longestUnfolded = 300;

/** Line breaks go first: in a list, a memory must not be able to look like two. */
export function oneLine(text: string, page: Page): string {
  return page.clean(text.replaceAll(/\s+/g, " "));
}
