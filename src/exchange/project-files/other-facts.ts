import { parse } from "smol-toml";
import { aboutFact } from "./about-fact.js";
import { entryOf, versionsOf } from "./checked-values.js";
import type { ProjectFact } from "./project-facts.js";

/** What a Cargo.toml says. Throws where it is no TOML. */
export function cargoFacts(text: string): ProjectFact[] {
  const file = "Cargo.toml";
  const manifest: unknown = parse(text);
  // A member of a workspace may leave a value to it: `rust-version.workspace = true`.
  const ofPackage = (key: string) => {
    const own = entryOf(manifest, "package", key);
    const isLeft = own === undefined || entryOf(own, "workspace") === true;
    return isLeft ? entryOf(manifest, "workspace", "package", key) : own;
  };
  const rust = versionsOf(ofPackage("rust-version"));
  return [
    ...aboutFact(file, ofPackage("name"), ofPackage("description")),
    { subject: "test", file, content: "The tests run with `cargo test`." },
    { subject: "build", file, content: "It is built with `cargo build`." },
    ...(rust === undefined ? [] : [{ subject: "needs" as const, file, content: `It needs Rust ${rust} or newer.` }]),
  ];
}

/** What a go.mod says. */
export function goFacts(text: string): ProjectFact[] {
  const file = "go.mod";
  const [, version] = /^go[ \t]+(\d[\d.]{0,20})[ \t]*\r?$/m.exec(text) ?? [];
  return [
    { subject: "test", file, content: "The tests run with `go test ./...`." },
    { subject: "build", file, content: "It is built with `go build ./...`." },
    ...(version === undefined
      ? []
      : [{ subject: "needs" as const, file, content: `It needs Go ${version} or newer.` }]),
  ];
}

// By their usual names: any other could be a sentence.
const usualTargets = "all build check clean deploy dev docs format install lint release run serve start test".split(
  " ",
);

/** Which of the usual targets a Makefile has. */
export function makeFacts(text: string, file: string): ProjectFact[] {
  // No assignment: `install := x`, `install ::= x`, `install :::= x`.
  const targets = new Set([...text.matchAll(/^([a-z]{2,12})[ \t]*:(?!:{0,2}=)/gm)].map(([, target]) => target));
  const usual = usualTargets.filter((target) => targets.has(target)).map((target) => `\`make ${target}\``);
  return usual.length === 0 ? [] : [{ subject: "make", file, content: `There is a ${file}: ${usual.join(", ")}.` }];
}
