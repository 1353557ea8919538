// What the C# compiler of Mono made of a folder. It builds what no symbol is defined for: the other branches of `#if` are
// parsed by Tacit and unknown to the compiler, so their lines are told, too.
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { temporaryFolder } from "../measure.mjs";

const libraries = [
  "System.Data",
  "System.Numerics",
  "System.Runtime.Serialization",
  "System.Xml",
  "System.Xml.Linq",
  "Microsoft.CSharp",
];
const cecil = "/usr/lib/mono-cecil";

/** The lines of Truth.cs, and those of `off`: a file, and the first and last line of a part that was left out. */
export function runCecil(folder) {
  const place = temporaryFolder();
  const library = join(place.path, "library.dll");
  const truth = join(place.path, "Truth.exe");
  const run = (command, args) =>
    execFileSync(command, args, {
      cwd: folder,
      encoding: "utf8",
      maxBuffer: 1 << 30,
      stdio: ["ignore", "pipe", "ignore"],
    });
  try {
    run("mcs", [
      "-debug",
      "-unsafe",
      "-target:library",
      `-r:${libraries.join(",")}`,
      "-recurse:*.cs",
      `-out:${library}`,
    ]);
    const used = ["Mono.Cecil.dll", "Mono.Cecil.Mdb.dll"].map((name) => `-r:${join(cecil, name)}`);
    run("mcs", [...used, `-out:${truth}`, join(import.meta.dirname, "Truth.cs")]);
    const said = execFileSync("mono", [truth, library, folder], {
      encoding: "utf8",
      maxBuffer: 1 << 30,
      env: { ...process.env, MONO_PATH: cecil },
    });
    return [...listLeftOut(folder), said].join("\n");
  } catch {
    return undefined;
  } finally {
    place.remove();
  }
}

function listLeftOut(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(".cs"))
    .map((entry) => join(entry.parentPath, entry.name))
    .flatMap((path) =>
      leftOutOf(readFileSync(path, "utf8")).map(([first, last]) =>
        ["off", relative(folder, path), first, last].join("\t"),
      ),
    );
}

/** The lines of a text that are not compiled where nothing is defined. */
export function leftOutOf(text) {
  const left = [];
  const open = [];
  const isOff = () => open.some(({ isOn }) => !isOn);
  let begun;
  text.split("\n").forEach((line, index) => {
    const [, directive, condition] = /^\s*#\s*(if|elif|else|endif)\b(.*)/.exec(line) ?? [];
    if (directive === undefined) return;
    const inner = open.at(-1);
    if (directive === "if") open.push({ isOn: holds(condition), wasOn: holds(condition) });
    else if (directive === "endif") open.pop();
    else {
      inner.isOn = !inner.wasOn && (directive === "else" || holds(condition));
      inner.wasOn ||= inner.isOn;
    }
    if (isOff()) begun ??= index + 1;
    else if (begun !== undefined) {
      left.push([begun, index + 1]);
      begun = undefined;
    }
  });
  return left;
}

/** Whether a condition holds where nothing is defined. */
function holds(condition) {
  let text = condition
    .replace(/\/\/.*$/, "")
    .replaceAll(/\s+/g, "")
    .replaceAll(/\btrue\b/g, "1")
    .replaceAll(/[A-Za-z_]\w*/g, "0");
  for (let before = ""; before !== text;) {
    before = text;
    text = text
      .replaceAll("!0", "1")
      .replaceAll("!1", "0")
      .replaceAll(/\(([01])\)/g, "$1")
      .replaceAll(/(?<![!&])([01])&&([01])/g, (_, a, b) => (a === "1" && b === "1" ? "1" : "0"))
      .replaceAll(/(?<![!&|])([01])\|\|([01])(?!&&)/g, (_, a, b) => (a === "1" || b === "1" ? "1" : "0"));
  }
  return text === "1";
}
