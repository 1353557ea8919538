import { resolve } from "node:path";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findDecidingUrl, normaliseRemote } from "./remote-url.js";

const gitDirectory = resolve("/code/repo/.git");

describe("normaliseRemote", () => {
  it.each([
    ["git@github.com:Owner/Repo.git", "github.com/owner/repo"],
    ["github.com:owner/repo", "github.com/owner/repo"],
    ["https://github.com/Owner/Repo", "github.com/owner/repo"],
    ["https://user:token@github.com/owner/repo.git/", "github.com/owner/repo"],
    ["HTTPS://user:p@ss:word@GitHub.com:443//owner/repo", "github.com/owner/repo"],
    ["ssh://git@ssh.github.com:443/owner/repo.git", "github.com/owner/repo"],
    ["git://github.com:9418/owner/repo.git", "github.com/owner/repo"],
    ["git+ssh://git@gitlab.com/Group/Sub/Repo", "gitlab.com/group/sub/repo"],
    ["https://www.github.com/Owner/Repo", "www.github.com/Owner/Repo"],
    ["ssh://git@Host:2222/X/y.git", "host/X/y"],
    ["[git@host:2222]:X/y.git", "host/X/y"],
    ["git@[2001:DB8::1]:x/y", "[2001:db8::1]/x/y"],
    ["http://host.example:80/x", "host.example/x"],
    ["http://host.example:8080/x?private_token=abc#top", "host.example:8080/x"],
    ["https://host.example./a%20b/%C3%A9.git", "host.example/a b/é"],
    ["https://host.example/100%/x", "host.example/100%/x"],
    ["https://org@dev.azure.com/org/My%20Project/_git/repo", "dev.azure.com/org/My Project/_git/repo"],
    ["git@ssh.dev.azure.com:v3/org/My%20Project/repo", "dev.azure.com/org/My Project/_git/repo"],
    ["https://org.visualstudio.com/p/_git/repo", "org.visualstudio.com/p/_git/repo"],
    ["Org@vs-ssh.visualstudio.com:v3/Org/p/repo", "org.visualstudio.com/p/_git/repo"],
    ["https://git-codecommit.eu-west-1.amazonaws.com/v1/repos/R", "git-codecommit.eu-west-1.amazonaws.com/v1/repos/R"],
    [
      "ssh://KEY@git-codecommit.eu-west-1.amazonaws.com/v1/repos/R",
      "git-codecommit.eu-west-1.amazonaws.com/v1/repos/R",
    ],
    ["codecommit::eu-west-1://profile@R", "git-codecommit.eu-west-1.amazonaws.com/v1/repos/R"],
    ["s3://bucket/x", "s3:bucket/x"],
    ["git@constructor:x", "constructor/x"],
    ["C:\\code\\Repo.git", "file:C:/code/Repo"],
    ["c:/code/./Repo/", "file:C:/code/Repo"],
    ["file:///C:/code/Repo", "file:C:/code/Repo"],
    ["file://C:/code/Repo", "file:C:/code/Repo"],
    ["\\\\server\\share\\repo.git", "file://server/share/repo"],
    ["file://user:token@server/share/repo.git", "file://server/share/repo"],
  ])("turns %s into %s", (url, expected) => {
    expect(normaliseRemote(url, gitDirectory)).toBe(expected);
  });

  it.each([
    ["/srv/git/repo.git", "/srv/git/repo"],
    ["file:///srv/git/a%20b.git", "/srv/git/a b"],
    ["file://localhost/srv/me@home/repo/.git", "/srv/me@home/repo"],
    ["../other.git", "/code/other"],
    ["./a:b", "/code/repo/a:b"],
  ])("resolves the path %s against the repository's root", (url, expected) => {
    expect(normaliseRemote(url, gitDirectory)).toBe(`file:${resolve(expected).replaceAll("\\", "/")}`);
  });

  it.each([
    "",
    "  ",
    "https://",
    "https://github.com",
    "https://github.com/.git",
    "https:///owner/repo",
    "https://host:port/x",
    "https://bad host/x",
    "ext::ssh host %S",
    "a\nb",
    "https://host/a%0Ab",
    `https://host/${"x".repeat(5000)}`,
  ])("takes %j for no remote", (url) => {
    expect(normaliseRemote(url, gitDirectory)).toBeUndefined();
  });

  it("never throws", () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: "binary" }), almostUrl()), (url) => {
        const key = normaliseRemote(url, gitDirectory);

        expect(key).not.toBe("");
      }),
    );
  });

  it("never holds what stood between // and @, however badly it is spelled", () => {
    const credentials = fc
      .array(fc.constantFrom("SECRET", "user", "1", ":", "/", "@", "?", "#", "%", "%2F", "[", "]", "\\", "\u2028"))
      .map((parts) => `${parts.join("")}SECRET`);
    const scheme = fc.constantFrom("https:", "http:", "ssh:", "git:", "s3:", "x::https:", "");

    fc.assert(
      fc.property(scheme, credentials, credentials, (start, before, after) => {
        for (const url of [`${start}//${before}@host/x`, `${start}//${before}/${after}@host/x`]) {
          expect(normaliseRemote(url, gitDirectory) ?? "").not.toMatch(/secret/i);
        }
      }),
      { numRuns: 2000 },
    );
  });
});

describe("findDecidingUrl", () => {
  it.each([
    ["origin before all others", { upstream: "u", origin: "o", fork: "f" }, "o"],
    ["the only remote, whatever its name", { fork: "f" }, "f"],
    ["upstream when origin is missing", { fork: "f", upstream: "u" }, "u"],
    ["nobody when several compete", { fork: "f", other: "x" }, undefined],
    ["nobody when the name only differs in case", { Origin: "o", fork: "f" }, undefined],
    ["nobody when there is none", {}, undefined],
  ])("takes %s", (_, remotes, expected) => {
    const config = Object.entries(remotes).map(([name, url]) => `[remote "${name}"]\n\turl = ${url}\n`);

    expect(findDecidingUrl(config.join(""))).toBe(expected);
  });

  it.each([
    ["sections and keys in any case", '[ReMoTe "origin"]\nURL=x', "x"],
    ["a key on the line of its section", '[remote "origin"] url = x', "x"],
    ["the old spelling of a section", "[remote.Origin]\nurl = x", "x"],
    ["the first of several urls", '[remote "origin"]\nurl = x\nurl = y', "x"],
    ["comments", '# a\n[remote "origin"] ; b\n# url = no\nurl = x y ; c', "x y"],
    ["quotes", '[remote "origin"]\nurl = "x;#"\'y\' # c', "x;#'y'"],
    ["escapes", '[remote "origin"]\nurl = C:\\\\x\\"y', 'C:\\x"y'],
    ["escapes in the name of a section", '[remote "or\\igin"]\nurl = x\n[remote "b"]\nurl = y', "x"],
    ["continued lines", '[remote "origin"]\nurl = x\\\ny\n', "xy"],
    ["Windows line ends and a byte order mark", '\uFEFF[remote "origin"]\r\n\turl = x\\\r\ny\r\n', "xy"],
    ["keys without a value", '[core]\nbare\n[remote "origin"]\nurl\nurl = x', "x"],
    ["no pushurl", '[remote "origin"]\npushurl = x', undefined],
    ["no url of another section", '[submodule "origin"]\nurl = x\n[url "y"]\ninsteadOf = z', undefined],
    ["nothing from a text that git refuses", '[remote "origin"]\nurl = x\n[core\n', undefined],
    ["nothing from an open quote", '[remote "origin"]\nurl = "x\n', undefined],
  ])("understands %s", (_, config, expected) => {
    expect(findDecidingUrl(config)).toBe(expected);
  });
});

function almostUrl(): fc.Arbitrary<string> {
  const part = fc.constantFrom("https", "ssh", "git", "file", "host", "x.git", "C", ".", "..", "%zz", "%00", "[::1]");
  const mark = fc.constantFrom(":", "/", "//", "://", "@", "\\", "::", "?", "#", " ");
  return fc.array(fc.oneof(part, mark), { maxLength: 12 }).map((parts) => parts.join(""));
}
