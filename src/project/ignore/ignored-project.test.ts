import { homedir } from "node:os";
import { expect, it } from "vitest";
import { isIgnoredProject } from "./ignored-project.js";

const home = homedir();

it.each([
  ["~/clients/*", { root: `${home}/clients/acme` }, true],
  ["~/clients/*", { root: `${home}/clients/acme/shop` }, true],
  ["~/clients/acme/**", { root: `${home}/clients/acme` }, true],
  ["~/clients/*", { root: `${home}/clients` }, false],
  ["~/clients", { root: `${home}/clients2` }, false],
  ["/srv/**/secret", { root: "/srv/a/b/secret/c" }, true],
  ["/srv/**/secret", { root: "/srv/a/b" }, false],
  ["/srv/app", { root: "/tmp/tree", gitKey: "git:/srv/app/.git" }, true],
  ["github.com/acme/*", { root: "/a", remoteKey: "remote:github.com/acme/shop" }, true],
  ["https://github.com/Acme/Shop.git", { root: "/a", remoteKey: "remote:github.com/acme/shop" }, true],
  ["git@github.com:acme/shop", { root: "/a", remoteKey: "remote:github.com/acme/shop" }, true],
  ["github.com/acme", { root: "/a", remoteKey: "remote:github.com/acme/shop" }, true],
  ["github.com/acme/*", { root: "/a", remoteKey: "remote:github.com/acme2/shop" }, false],
  ["github.com/acme/*", { root: "/github.com/acme/shop" }, false],
] as const)("[TR77] %j over %j is %j", (pattern, folder, is) => {
  expect(isIgnoredProject([pattern], { name: "x", pathKey: "", ...folder })).toBe(is);
});
