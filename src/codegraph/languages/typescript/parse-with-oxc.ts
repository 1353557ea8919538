import type { Node, Program } from "./estree.js";
import { mayBeDeeperThan } from "./nesting.js";

// oxc recurses, and files are read in workers with 32 MB of stack, but a few of them on the main thread with 8 MB: there,
// nested functions take the process down between 2,800 and 6,000 levels, brackets at 30,000 (oxc-parser 0.155, Node 20).
// 800 is far more than people write.
const deepest = 800;

/** A parser, or undefined for a file that it does not get through. */
export type Parse = (path: string, source: string) => Program | undefined;

/** oxc, where it is installed. */
export async function loadOxc(): Promise<Parse | undefined> {
  const oxc = await import("oxc-parser").catch(() => undefined);
  if (!oxc) return undefined;
  return (path, source) => {
    const lang = langOf(path);
    if (mayBeDeeperThan(deepest, source, lang.endsWith("x"))) return undefined;
    const parsed = oxc.parseSync(path, source, {
      // What only TypeScript can say is left out of what is not.
      astType: lang === "jsx" ? "js" : "ts",
      lang,
      preserveParens: false,
    });
    const body = parsed.program.body as unknown as Node[];
    // It gives all of a program or nothing; what it complains about besides does not keep it from being read.
    return body.length === 0 && parsed.errors.length > 0 ? undefined : { body };
  };
}

function langOf(path: string): "ts" | "tsx" | "dts" | "jsx" {
  if (/\.d\.[cm]?ts$/i.test(path)) return "dts";
  if (/\.tsx$/i.test(path)) return "tsx";
  return /\.[cm]?ts$/i.test(path) ? "ts" : "jsx";
}
