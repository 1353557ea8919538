import { describe, expect, it } from "vitest";
import { findBySecretRules } from "./secret-rules.js";

// Put together here, so that this file holds nothing that looks like a secret.
const mixed = "a1B2".repeat(20);
const hex = "0a1b2c3d".repeat(10);
const tokens: [kind: string, token: string][] = [
  ["anthropic-key", "sk-" + "ant-api03-" + mixed],
  ["openai-key", "sk-" + "proj-" + mixed],
  ["openai-key", "sk-" + mixed.slice(0, 48)],
  ...["ghp", "gho", "ghu", "ghs", "ghr"].map((prefix): [string, string] => [
    "github-token",
    `${prefix}_${mixed.slice(0, 36)}`,
  ]),
  ["github-token", "github" + "_pat_" + mixed],
  ["gitlab-token", "gl" + "pat-" + mixed.slice(0, 20)],
  ...["xoxb", "xoxa", "xoxp", "xoxr", "xoxs"].map((prefix): [string, string] => [
    "slack-token",
    `${prefix}-123456789012-${mixed.slice(0, 24)}`,
  ]),
  ["aws-key", "AK" + "IA" + "A1B2C3D4E5F6G7H8"],
  ["aws-key", "AS" + "IA" + "A1B2C3D4E5F6G7H8"],
  ["google-key", "AI" + "za" + mixed.slice(0, 35)],
  ["npm-token", "np" + "m_" + mixed.slice(0, 36)],
  ["pypi-token", "py" + "pi-AgEIcHlwaS5vcmc" + mixed],
  ["sendgrid-key", "S" + `G.${mixed.slice(0, 22)}.${mixed.slice(0, 43)}`],
  ["huggingface-token", "h" + "f_" + mixed.slice(0, 34)],
  ["stripe-key", "sk" + "_live_" + mixed.slice(0, 24)],
  ["stripe-key", "rk" + "_live_" + mixed.slice(0, 24)],
  ["twilio-key", "S" + "K" + hex.slice(0, 32)],
  ["telegram-token", "123456789:" + mixed.slice(0, 35)],
  ["discord-token", `M${mixed.slice(0, 23)}.${mixed.slice(0, 6)}.${mixed.slice(0, 27)}`],
  ["shopify-token", "shp" + "at_" + hex.slice(0, 32)],
  ["digitalocean-token", "dop" + "_v1_" + hex.slice(0, 64)],
  ["databricks-token", "da" + "pi" + hex.slice(0, 32)],
  ["linear-key", "lin" + "_api_" + mixed.slice(0, 40)],
  ["vercel-token", "vc" + "p_" + mixed.slice(0, 24)],
  ["doppler-token", "dp" + ".pt." + mixed.slice(0, 43)],
  ["vault-token", "hv" + "s." + mixed.slice(0, 24)],
  ["netlify-token", "nf" + "p_" + mixed.slice(0, 36)],
  ["figma-token", "fig" + "d_" + mixed.slice(0, 40)],
  ["notion-token", "nt" + "n_" + mixed.slice(0, 46)],
  ["notion-token", "secr" + "et_" + mixed.slice(0, 43)],
  ["age-key", "AGE-SECRET-" + "KEY-1" + "A1B2".repeat(15).slice(0, 58)],
  ["jwt", ["ey" + "JhbGciOiJIUzI1NiJ9", "ey" + "JzdWIiOiIxMjM0NTY3ODkwIn0", mixed.slice(0, 43)].join(".")],
];

describe("findBySecretRules", () => {
  it.each(tokens)("finds a %s in a sentence, whole and nothing else", (kind, token) => {
    const text = `We saw ${token} in the log.`;

    const findings = findBySecretRules(text).filter((finding) => finding.kind === kind);

    expect(findings.map(({ start, end }) => text.slice(start, end))).toContain(token);
  });

  it.each([
    ["https://hooks." + "slack.com/services/", "T00000000/B00000000/" + mixed.slice(0, 24)],
    ["https://discord.com/api/" + "webhooks/", "123456789012345678/" + mixed.slice(0, 60)],
    ["AccountName=x;Account" + "Key=", mixed + "=="],
    ["https://x.blob.core.windows.net/c?sv=2024&sig=", mixed.slice(0, 43) + "%3D"],
  ])("finds only the secret part after %s", (before, secret) => {
    const text = `${before}${secret} and more`;

    const found = findBySecretRules(text).map(({ start, end }) => text.slice(start, end));

    expect(new Set(found)).toEqual(new Set([secret]));
  });

  it.each([
    ...[
      "task-abcdefghijklmnopqrstuvwxyz",
      "npm_config_registry",
      "sk-fading-circle",
      "hf_hub_download",
      "secret_manager",
    ],
    ...["Bearer authentication", "dapi is a word", "eyJust.kidding", "SG.1.2", "https://hooks.slack.com/services/"],
  ])("takes %j for an ordinary name", (text) => {
    expect(findBySecretRules(text)).toEqual([]);
  });
});
