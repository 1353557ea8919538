import type { Node, Program } from "./estree.js";
import { mayBeDeeperThan } from "./nesting.js";

// oxc recurses, and a worker has 4 MB of stack: nested functions take the process down between 2,500 and 5,000 levels, brackets
// between 5,000 and 20,000 (oxc-parser 0.158, Node 20). A quarter of that is far more than people write.
const deepest = 800;

/** A parser, or undefined for a file that it does not get through. */
export type Parse = (path: string, source: string) => Program | undefined;

/** oxc, where it is installed. */
export async function loadOxc(): Promise<Parse | undefined> {
  const oxc = await import("oxc-parser").catch(() => undefined);
  if (!oxc) return undefined;
  return (path, source) => {
    if (mayBeDeeperThan(deepest, source)) return undefined;
    const lang = langOf(path);
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
