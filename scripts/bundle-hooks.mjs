// Puts what `tacit observe` needs into one file: it runs after every tool call of an agent, and opening fifty files takes
// longer than all that it does (50 ms over an empty process without, 35 ms with; 2026-11).
import { join } from "node:path";
import { rolldown } from "rolldown";

// What is loaded only when it is needed stays where it is.
const apart =
  /\/dist\/(?:index|config\/.*|hygiene\/.*|memory\/.*|observer\/adapters\/(?:opencode|ai-sdk)|observer\/spool\/list-spools)\.js$/;

export async function bundleObserve(dist) {
  const entry = join(dist, "cli", "observe-lines.js");
  const bundle = await rolldown({
    input: entry,
    platform: "node",
    external: (id, _importer, isResolved) => isResolved && apart.test(id.replaceAll("\\", "/")),
  });
  await bundle.write({ file: entry, format: "esm", codeSplitting: false, minify: false });
  await bundle.close();
}
