// Transcripts name the folders of the people who worked; the product sees them as folders of this machine.
import { execFileSync } from "node:child_process";

/**
 * A transcript as it would have been written here: the session's work tree is `root`, the person's home is `home`. A
 * session may have begun in a folder of the tree.
 */
export function withOwnPaths({ lines, cwd }, { root, home, sha }) {
  const tree = treeOf(cwd, root, sha);
  const person = /^\/(?:Users|home)\/[^/]+/.exec(tree)?.[0];
  const places = [[tree, root], ...(person === undefined ? [] : [[person, home]])];
  let text = `${lines.join("\n")}\n`;
  for (const [from, to] of places) {
    // `/src/cli` is no part of `/src/cli-docs`.
    text = text.replaceAll(new RegExp(String.raw`${escaped(from)}(?![\w.-])`, "g"), () => to);
    // Claude Code names the folder of a project's transcripts and plans after its path.
    text = text.replaceAll(dashed(from), () => dashed(to));
  }
  return text;
}

function dashed(path) {
  return path.replaceAll(/[^\w]/g, "-");
}

function escaped(text) {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, String.raw`\$&`);
}

/** The folder above `cwd` that the rest of the path lies in, in the commit. */
function treeOf(cwd, root, sha) {
  const parts = cwd.split("/");
  for (let from = 3; from < parts.length; from++) {
    const inside = parts.slice(from).join("/");
    if (isFolder(root, `${sha}:${inside}`)) return parts.slice(0, from).join("/");
  }
  return cwd;
}

function isFolder(root, name) {
  try {
    const args = ["-C", root, "cat-file", "-t", name];
    return execFileSync("git", args, { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }).trim() === "tree";
  } catch {
    return false;
  }
}
