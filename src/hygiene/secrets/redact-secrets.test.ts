import { describe, expect, it } from "vitest";
import { redactSecrets } from "./redact-secrets.js";
import { secretKinds } from "./secret-finding.js";

const githubToken = glued("gh", "p_", "a1B2".repeat(9));

describe("redactSecrets", () => {
  it.each([
    ["use password=hunter2 there", "use password=[redacted:password] there"],
    ["postgres://bob:hunter2@host/db", "postgres://bob:[redacted:password]@host/db"],
    [`GITHUB_TOKEN=${githubToken}`, "GITHUB_TOKEN=[redacted:github-token]"],
    [
      `git clone https://bob:${githubToken}@github.com/a/b`,
      "git clone https://bob:[redacted:github-token]@github.com/a/b",
    ],
    [`{"token": "${githubToken}"}`, '{"token": "[redacted:github-token]"}'],
  ])("keeps what stands around the secret in %j", async (text, redacted) => {
    expect(withoutKinds(await redactSecrets(text))).toBe(withoutKinds(redacted));
  });

  it("leaves what is already redacted", async () => {
    const text = secretKinds
      .map((kind) => `password=[redacted:${kind}] postgres://u:[redacted:${kind}]@h/d`)
      .join("\n");

    expect(await redactSecrets(text)).toBe(text);
  });

  it("takes a secret that its name gave away also where it stands alone", async () => {
    expect(await redactSecrets("password=hunter2, then type hunter2 (not hunter22) again")).toBe(
      "password=[redacted:password], then type [redacted:password] (not hunter22) again",
    );
    expect(await redactSecrets("password: swordfish\nswordfish is a fish")).toContain("swordfish is a fish");
  });

  it("does not take a secret for a marker", async () => {
    expect(await redactSecrets(`[redacted:${githubToken}]`)).not.toContain(githubToken);
    expect(await redactSecrets("password=[redacted:password]hunter2x")).not.toContain("hunter2x");
  });

  it("is not switched off by a comment for secretlint", async () => {
    const text = `/* secretlint-disable */\n// secretlint-disable-next-line\nconst a = "${githubToken}"`;

    expect(await redactSecrets(text)).not.toContain(githubToken);
  });
});

function withoutKinds(text: string): string {
  return text.replaceAll(/\[redacted:[a-z-]+\]/g, "[redacted]");
}

/** Puts a fake secret together, so that this file holds nothing that looks like one. */
function glued(...parts: string[]): string {
  return parts.join("");
}
