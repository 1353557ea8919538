import { describe, expect, it } from "vitest";
import { findTokens, mayHoldToken } from "./token-shapes.js";

const mixed = "a1B2".repeat(20);
const hex = "0a1b2c3d".repeat(10);
const tokens: [kind: string, token: string][] = [
  ["anthropic-key", glued("sk-", "ant-api03-") + mixed],
  ["openai-key", glued("sk-", "proj-") + mixed],
  ["openai-key", "sk-" + mixed.slice(0, 48)],
  ...["ghp", "gho", "ghu", "ghs", "ghr"].map((prefix): [string, string] => [
    "github-token",
    `${prefix}_${mixed.slice(0, 36)}`,
  ]),
  ["github-token", glued("github", "_pat_") + mixed],
  ["gitlab-token", glued("gl", "pat-") + mixed.slice(0, 20)],
  ...["xoxb", "xoxa", "xoxp", "xoxr", "xoxs"].map((prefix): [string, string] => [
    "slack-token",
    `${prefix}-123456789012-${mixed.slice(0, 24)}`,
  ]),
  ["aws-key", glued("AK", "IA", "A1B2C3D4E5F6G7H8")],
  ["aws-key", glued("AS", "IA", "A1B2C3D4E5F6G7H8")],
  ["google-key", glued("AI", "za") + mixed.slice(0, 35)],
  ["npm-token", glued("np", "m_") + mixed.slice(0, 36)],
  ["pypi-token", glued("py", "pi-AgEIcHlwaS5vcmc") + mixed],
  ["sendgrid-key", glued("S", `G.${mixed.slice(0, 22)}.${mixed.slice(0, 43)}`)],
  ["huggingface-token", glued("h", "f_") + mixed.slice(0, 34)],
  ["stripe-key", glued("sk", "_live_") + mixed.slice(0, 24)],
  ["stripe-key", glued("rk", "_live_") + mixed.slice(0, 24)],
  ["twilio-key", glued("S", "K") + hex.slice(0, 32)],
  ["telegram-token", "123456789:" + mixed.slice(0, 35)],
  ["discord-token", `M${mixed.slice(0, 23)}.${mixed.slice(0, 6)}.${mixed.slice(0, 27)}`],
  ["shopify-token", glued("shp", "at_") + hex.slice(0, 32)],
  ["digitalocean-token", glued("dop", "_v1_") + hex.slice(0, 64)],
  ["databricks-token", glued("da", "pi") + hex.slice(0, 32)],
  ["linear-key", glued("lin", "_api_") + mixed.slice(0, 40)],
  ["vercel-token", glued("vc", "p_") + mixed.slice(0, 24)],
  ["doppler-token", glued("dp", ".pt.") + mixed.slice(0, 43)],
  ["vault-token", glued("hv", "s.") + mixed.slice(0, 24)],
  ["netlify-token", glued("nf", "p_") + mixed.slice(0, 36)],
  ["figma-token", glued("fig", "d_") + mixed.slice(0, 40)],
  ["notion-token", glued("nt", "n_") + mixed.slice(0, 46)],
  ["notion-token", glued("secr", "et_") + mixed.slice(0, 43)],
  ["aws-key", glued("AB", "SK") + mixed + mixed],
  ["azure-key", `a1b8Q~${mixed.slice(0, 34)}`],
  ["azure-key", (mixed + mixed).slice(0, 76) + glued("AZ", "DO") + mixed.slice(0, 4)],
  ["google-key", glued("1/", "/0") + mixed.slice(0, 60)],
  ["vault-token", `s.${mixed.slice(0, 24)}`],
  ["mail-key", `${hex.slice(0, 32)}-${hex.slice(0, 8)}-${hex.slice(0, 8)}`],
  ["api-key", glued("PM", "AK-") + `${hex.slice(0, 24)}-${hex.slice(0, 34)}`],
  ["token", glued("HR", "KU-AA") + mixed.slice(0, 58)],
  ["token", `${mixed.slice(0, 14)}.atlasv1.${mixed.slice(0, 67)}`],
  ["age-key", glued("AGE-SECRET-", "KEY-1", "A1B2".repeat(15).slice(0, 58))],
  ["jwt", [glued("ey", "JhbGciOiJIUzI1NiJ9"), glued("ey", "JzdWIiOiIxMjM0NTY3ODkwIn0"), mixed.slice(0, 43)].join(".")],
];

describe("findTokens", () => {
  it.each(tokens)("finds a %s in a sentence, whole and nothing else", (kind, token) => {
    const text = `We saw ${token} in the log.`;

    const findings = findTokens(text).filter((finding) => finding.kind === kind);

    expect(findings.map(({ start, end }) => text.slice(start, end))).toContain(token);
    expect(mayHoldToken(text)).toBe(true);
  });

  it.each(["AKIAIOSFODNN7EXAMPLE", "sha256 0a1b2c3d4f5g6h7i8j9k0l1m2n3p4q5r6s7v8w9x0y1z2a3b4c5d"])(
    "leaves %s, which is none",
    (text) => {
      expect(findTokens(text)).toEqual([]);
    },
  );

  it.each([
    [glued("https://hooks.", "slack.com/services/"), "T00000000/B00000000/" + mixed.slice(0, 24)],
    [glued("https://discord.com/api/", "webhooks/"), "123456789012345678/" + mixed.slice(0, 60)],
    [glued("access_token$prod", "uction$") + "a1b2c3d4e5f6a7b8$", hex.slice(0, 32)],
    ["pat ", `k${(hex + hex).slice(0, 51)}`],
    [glued("AccountName=x;Account", "Key="), mixed + "=="],
  ])("finds only the secret part after %s", (before, secret) => {
    const text = `${before}${secret} and more`;

    const found = findTokens(text).map(({ start, end }) => text.slice(start, end));

    expect(new Set(found)).toEqual(new Set([secret]));
  });

  it.each([
    "task-abcdefghijklmnopqrstuvwxyz",
    "npm_config_registry",
    "sk-fading-circle",
    "hf_hub_download",
    "secret_manager",
    "dapi is a word",
    "eyJust.kidding",
    "SG.1.2",
    "https://hooks.slack.com/services/",
    "items.forEach(s.callSomethingWithItsName)",
    "API-FIRST-DESIGN",
    "key-value store",
  ])("takes %j for an ordinary name", (text) => {
    expect(findTokens(text)).toEqual([]);
  });
});

/** Puts a fake secret together, so that this file holds nothing that looks like one. */
function glued(...parts: string[]): string {
  return parts.join("");
}
