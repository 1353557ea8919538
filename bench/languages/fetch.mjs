// Gets the packages, each into `folder`/<language>/<name>. What is there is left as it is.
import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** Where a package is, or will be. */
export function folderOf(folder, { language, name }) {
  return join(folder, language, name);
}

/** Gets what is missing, and tells what could not be got. */
export function fetchPackages(folder, packages) {
  const missing = packages.filter((wanted) => !existsSync(folderOf(folder, wanted)));
  const work = join(folder, ".work");
  rmSync(work, { recursive: true, force: true });
  mkdirSync(work, { recursive: true });
  try {
    const apt = missing.some(({ source }) => source) ? openSources(work) : undefined;
    return missing.filter((wanted) => {
      console.error(`Fetching ${wanted.name} ${wanted.version} …`);
      try {
        const place = join(work, wanted.name);
        mkdirSync(place);
        download(wanted, place, apt);
        unpack(wanted, place, folderOf(folder, wanted));
        for (const crate of wanted.crates ?? []) addCrate(crate, place, `${folderOf(folder, wanted)}.crates`);
        return false;
      } catch (error) {
        console.error(`  ${String(error.message).split("\n")[0]}`);
        return true;
      }
    });
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/**
 * Few machines list where sources come from, so that list is made of where their binaries come from, in a folder of its own:
 * nothing of the machine's settings changes.
 */
function openSources(work) {
  const etc = "/etc/apt";
  const listed = [
    join(etc, "sources.list"),
    ...readdirSync(join(etc, "sources.list.d")).map((name) => join(etc, "sources.list.d", name)),
  ].filter((file) => /\.(?:list|sources)$/.test(file) && existsSync(file));
  const parts = join(work, "parts");
  for (const place of [parts, join(work, "lists/partial")]) mkdirSync(place, { recursive: true });
  for (const file of listed) {
    const text = readFileSync(file, "utf8");
    const sources = text.replaceAll(/^Types:.*$/gm, "Types: deb-src").replaceAll(/^deb(?=\s)/gm, "deb-src");
    writeFileSync(join(parts, file.split("/").at(-1)), sources);
  }
  const options = [
    "Dir::Etc::sourcelist=/dev/null",
    `Dir::Etc::sourceparts=${parts}`,
    `Dir::State::lists=${join(work, "lists")}`,
    `Dir::Cache=${join(work, "cache")}`,
  ].flatMap((option) => ["-o", option]);
  run("apt-get", [...options, "update"], work);
  return options;
}

function download({ source, binary, npm, version }, place, apt) {
  if (npm) run("npm", ["pack", `${npm}@${version}`], place);
  else if (binary) run("apt-get", ["download", binary], place);
  else run("apt-get", [...apt, "source", "--tar-only", "--download-only", source], place);
  const [archive] = readdirSync(place);
  if (!decodeURIComponent(archive).includes(version))
    console.error(`  ${archive} is not ${version}: figures and verdicts of another version do not fit it.`);
}

function unpack({ binary, strip = "", keep = [""] }, place, to) {
  const archive = join(place, readdirSync(place)[0]);
  const unpacked = join(place, "unpacked");
  mkdirSync(unpacked);
  if (binary) run("dpkg-deb", ["-x", archive, unpacked], place);
  else run("tar", ["-xf", archive, "--strip-components=1", "-C", unpacked], place);
  for (const part of keep) {
    const target = join(to, part);
    mkdirSync(dirname(target), { recursive: true });
    renameSync(join(unpacked, strip, part), target);
  }
}

/** What it depends on, beside it: as rustc reads it from a folder. */
function addCrate(crate, place, to) {
  const beside = join(place, crate);
  mkdirSync(beside);
  run("apt-get", ["download", crate], beside);
  run("dpkg-deb", ["-x", join(beside, readdirSync(beside)[0]), beside], beside);
  cpSync(join(beside, "usr/share/cargo/registry"), to, { recursive: true });
}

function run(command, args, cwd) {
  execFileSync(command, args, { cwd, stdio: ["ignore", "ignore", "pipe"] });
}
