// Puts what `tacit observe` and `tacit hook` need into one file each: an agent waits for them at every tool call, and opening
// fifty files takes longer than all that they do (observe: 50 ms over an empty process without, 35 ms with; 2026-11).
import { isAbsolute, join } from "node:path";
import { rolldown } from "rolldown";

// What is loaded only when it is needed stays where it is.
const rarely = "index|config/(?!(?:config|settings?|model-settings)\\.js).*|observer/adapters/(?:opencode|ai-sdk)";
const secrets = "hygiene/(?!(?:neutralise|invisible-characters|private-parts|quote-data)\\.js).*";
const apartFrom = {
  "observe-lines": [rarely, "hygiene/.*", "memory/.*", "project/(?!quick-settings\\.js).*"],
  "hook-lines": [
    rarely,
    secrets,
    "project/effective-settings",
    "memory/memory-data",
    "(?:embedding|language-model)/.*",
    "codegraph/(?!indexing/tree-queries\\.js).*",
    "retrieval/(?:imagine-answer|meaning|rerank-top)",
  ],
};

export async function bundleHooks(dist) {
  for (const [name, apart] of Object.entries(apartFrom)) {
    const entry = join(dist, "cli", "agents", `${name}.js`);
    const stays = new RegExp(`/dist/(?:${apart.join("|")})(?:\\.js)?$`);
    const bundle = await rolldown({
      input: entry,
      platform: "node",
      external: (id, _importer, isResolved) =>
        isResolved ? stays.test(id.replaceAll("\\", "/")) : !id.startsWith(".") && !isAbsolute(id),
      // A package of which nothing is left is not loaded: the twenty files of `uuid` took 11 ms.
      treeshake: { moduleSideEffects: (_id, isExternal) => !isExternal },
      plugins: [lateExpressions],
    });
    // Half as long to read: 2 to 3 ms of 107 for a prompt; with the names left as they are, less than 1 (2026-11).
    await bundle.write({ file: entry, format: "esm", codeSplitting: false, minify: true });
    await bundle.close();
  }
}

/**
 * Regular expressions that ask what kind of character something is are read when they are first needed. A literal is read
 * once more where its file is loaded, which looks up tables of Unicode: 7 of 16 ms for all of them (Node 20, 2026-11).
 */
const lateExpressions = {
  name: "late-expressions",
  transform(code) {
    if (!/\\p\{/i.test(code)) return null;
    const found = literalsIn(this.parse(code)).filter(({ regex }) => /\\p\{/i.test(regex.pattern));
    let late = code;
    for (const { start, end, regex } of found.toSorted((a, b) => b.start - a.start)) {
      const words = [regex.pattern, regex.flags].map((text) => JSON.stringify(text)).join(", ");
      late = `${late.slice(0, start)}new RegExp(${words})${late.slice(end)}`;
    }
    return { code: late, map: null };
  },
};

function literalsIn(node) {
  if (typeof node !== "object" || node === null) return [];
  if (node.type === "Literal" && node.regex) return [node];
  return Object.values(node).flatMap(literalsIn);
}
