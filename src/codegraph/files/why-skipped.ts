import { isUtf8 } from "node:buffer";
import { extensionOf } from "../tree/paths.js";
import { languageOf } from "../languages/language-of.js";

/** Larger files are data, or made by a program. */
export const largestFileBytes = 1024 * 1024;

/**
 * Why a file is not indexed, by its name and size alone: a short phrase for people. Folders such as `dist` and `vendor` say
 * nothing: people keep sources there too, and what was built is told by its content.
 */
export function whySkipped(path: string, size: number): string | undefined {
  if (/(?:^|\/)(?:node_modules|\.git)\//.test(path)) return "not part of the project";
  const name = path.slice(path.lastIndexOf("/") + 1).toLowerCase();
  if (mayHoldSecrets(name)) return "may hold secrets";
  if (lockFiles.has(name)) return "lock file";
  if (/\.min\.[a-z]+$/.test(name)) return "minified";
  const byExtension = skippedExtensions.get(extensionOf(name));
  if (byExtension !== undefined) return byExtension;
  return size > largestFileBytes ? tooLarge : undefined;
}

export const tooLarge = "larger than 1 MB";

// The words of what is indexed are kept in the store.
function mayHoldSecrets(name: string): boolean {
  if (/^\.env(?:\.|$)/.test(name)) return !/\.(?:example|sample|template|dist|defaults?)$/.test(name);
  return /^(?:\.npmrc|\.netrc|\.pypirc|\.pgpass|\.htpasswd|id_(?:rsa|dsa|ecdsa|ed25519))$|\.(?:pem|key|p12|pfx|jks|keystore|kdbx)$/.test(
    name,
  );
}

const lockFiles = new Set(
  `package-lock.json npm-shrinkwrap.json yarn.lock pnpm-lock.yaml bun.lock bun.lockb deno.lock poetry.lock uv.lock pdm.lock
   pipfile.lock pixi.lock cargo.lock composer.lock gemfile.lock go.sum mix.lock podfile.lock pubspec.lock flake.lock
   packages.lock.json gradle.lockfile .terraform.lock.hcl .package-lock.json`.split(/\s+/),
);

const skippedExtensions = new Map<string, string>([
  ["map", "source map"],
  ["snap", "snapshot"],
  // Text, but of points and curves.
  ["svg", "image"],
  ...`png jpg jpeg gif bmp ico icns webp avif heic tif tiff psd ai eps
   mp3 mp4 m4a m4v wav ogg oga ogv flac aac webm mov avi mkv
   woff woff2 ttf otf eot
   zip gz tgz bz2 xz zst 7z rar tar jar war whl egg
   pdf doc docx xls xlsx ppt pptx odt ods odp
   wasm exe dll so dylib a o obj lib class pyc pyo node bin dat
   db sqlite sqlite3 parquet onnx pt pth npy npz pkl safetensors`
    .split(/\s+/)
    .map((extension) => [extension, "binary"] as const),
]);

/** Why a file is not indexed, by what it says: a short phrase for people. */
export function whyUnreadable(path: string, bytes: Buffer): string | undefined {
  if (hasUtf16Mark(bytes)) return "not UTF-8";
  if (bytes.includes(0)) return "binary";
  if (!isUtf8(bytes)) return "not UTF-8";
  if (isCode(path) && isMinified(bytes)) return "minified";
  return isGenerated(path, bytes) ? "generated" : undefined;
}

function hasUtf16Mark(bytes: Buffer): boolean {
  const [first, second] = bytes;
  return (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
}

function isCode(path: string): boolean {
  return languageOf(path) !== undefined || ["css", "scss", "less", "html", "vue", "svelte"].includes(extensionOf(path));
}

const longestAverageBytes = 500;
// A few long lines are a table or a text that people wrote.
const leastMinifiedBytes = 5000;

function isMinified(bytes: Buffer): boolean {
  if (bytes.length < leastMinifiedBytes) return false;
  let lines = 1;
  for (let at = bytes.indexOf(0x0a); at !== -1 && at < bytes.length - 1; at = bytes.indexOf(0x0a, at + 1)) lines += 1;
  // On average: one line of data in a program of many lines, such as a picture in a test, is not minified.
  return bytes.length / lines > longestAverageBytes;
}

const headLines = 20;
const headBytes = 4000;

/** Only comments count: a program that writes such marks has them in its strings. */
function isGenerated(path: string, bytes: Buffer): boolean {
  const lines = bytes.toString("utf8", 0, headBytes).split("\n").slice(0, headLines);
  const isComment = /^(?:md|mdx|html|txt|rst)$/.test(extensionOf(path)) ? commentOfText : commentOfCode;
  const comments = lines.filter((line) => isComment.test(line)).join("\n");
  return marks.some((mark) => mark.test(comments));
}

const commentOfCode = /^\uFEFF?\s*(?:\/\/|\/?\*|#|<!--|--|;|%|""")/;
const commentOfText = /^\uFEFF?\s*(?:<!--|\.\. )/;

const made = "(?:auto-?|automatically |(?:is|was|been|file) )generated|generated (?:by|from|with|using|file|code)";
const hands = "do not (?:edit|modify)";
const marks = [
  /(?:^|[\s*#/])@generated\b/,
  /\bDO NOT EDIT\b/,
  new RegExp(`\\b(?:${made})\\b[^]{0,200}\\b${hands}\\b|\\b${hands}\\b[^]{0,200}\\b(?:${made})\\b`, "i"),
];
