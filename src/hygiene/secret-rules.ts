import { findAuthorization } from "./authorization-headers.js";
import { findCommandCredentials } from "./command-credentials.js";
import { findPrivateKeys } from "./private-keys.js";
import { findAssignments } from "./secret-assignments.js";
import type { SecretFinding, SecretKind } from "./secret-finding.js";
import { findUrlCredentials } from "./url-credentials.js";

/**
 * Tokens that give themselves away by their shape. What follows an unbounded part never begins with a character of it,
 * so that matching stays linear in the length of the text. A first group, where there is one, holds the secret's own
 * characters.
 */
const tokenShapes: [kind: SecretKind, shape: string][] = [
  ["anthropic-key", "sk-ant-[\\w-]{16,}"],
  ["openai-key", "sk-(?:proj|svcacct|admin|None|or-v1)-[\\w-]{16,}"],
  ["openai-key", "sk-[A-Za-z0-9]{20,}"],
  ["github-token", "gh[pousr]_\\w{20,}"],
  ["github-token", "github_pat_\\w{20,}"],
  ["gitlab-token", "gl(?:pat|dt|ft|rt|rtr|ptt|soat|cbt|agent|imt|oas)-[\\w-]{16,}(?:\\.[\\w-]+){0,4}"],
  ["gitlab-token", "GR1348941[\\w-]{20}"],
  ["slack-token", "xox[abceoprs]-[A-Za-z0-9.-]{10,}"],
  ["slack-token", "xapp-\\d-[A-Za-z0-9-]{10,}"],
  ["webhook", "hooks\\.slack(?:-gov)?\\.com/(?:services|workflows|triggers)/([\\w/+-]{16,})"],
  ["webhook", "discord(?:app)?\\.com/api/(?:v\\d+/)?webhooks/(\\d{10,25}/[\\w-]{20,})"],
  ["webhook", "webhook\\.office\\.com/webhookb2/([\\w@/-]{40,})"],
  ["aws-key", "(?<![A-Z0-9])(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}(?![A-Za-z0-9])"],
  ["google-key", "AIza[\\w-]{35}"],
  ["google-key", "GOCSPX-[\\w-]{20,}"],
  ["google-key", "ya29\\.[\\w-]{20,}"],
  ["npm-token", "npm_[A-Za-z0-9]{30,}"],
  ["pypi-token", "pypi-AgE[\\w-]{16,}"],
  ["pypi-token", "pypi-[A-Za-z0-9_]{32,}[\\w-]*"],
  ["sendgrid-key", "SG\\.[\\w-]{16,}\\.[\\w-]{16,}"],
  ["huggingface-token", "(?:hf|api_org)_[A-Za-z0-9]{30,}"],
  ["stripe-key", "(?:sk|rk)_(?:live|test)_[A-Za-z0-9]{10,}"],
  ["stripe-key", "whsec_[A-Za-z0-9+/=]{20,}"],
  ["azure-key", "(?:AccountKey|SharedAccessKey)=([A-Za-z0-9+/=]{20,})"],
  ["twilio-key", "SK[0-9a-f]{32}(?![A-Za-z0-9])"],
  ["telegram-token", "(?<![\\w-])\\d{8,10}:[\\w-]{35}(?![\\w-])"],
  ["discord-token", "(?<![\\w-])[MNO][\\w-]{22,28}\\.[\\w-]{6}\\.[\\w-]{27,40}(?![\\w-])"],
  ["shopify-token", "shp(?:at|ca|pa|ss|tka)_[A-Za-z0-9]{20,}"],
  ["digitalocean-token", "do[opr]_v1_[a-f0-9]{32,}"],
  ["databricks-token", "dapi[A-Fa-f0-9]{32}(?:-\\d)?(?![A-Za-z0-9])"],
  ["linear-key", "lin_(?:api|oauth)_[A-Za-z0-9]{20,}"],
  ["vercel-token", "vc[piark]_[A-Za-z0-9]{20,}"],
  ["doppler-token", "dp\\.(?:pt|st|ct|sa|scim|audit)\\.[\\w.-]{20,}"],
  ["vault-token", "hv[sbr]\\.[\\w-]{20,}"],
  ["netlify-token", "nf[pcoub]_[A-Za-z0-9]{30,}"],
  ["figma-token", "fig[dor]_[\\w-]{20,}"],
  ["notion-token", "ntn_[A-Za-z0-9]{30,}"],
  ["notion-token", "secret_[A-Za-z0-9]{43}(?![A-Za-z0-9])"],
  ["groq-key", "gsk_[A-Za-z0-9]{30,}"],
  ["cloudflare-token", "cf(?:k|ut|at)_[A-Za-z0-9]{40,}"],
  ["xai-key", "xai-[A-Za-z0-9]{40,}"],
  ["replicate-token", "r8_[A-Za-z0-9]{30,}"],
  ["grafana-token", "gl(?:c|sa)_[A-Za-z0-9+/_]{32,}={0,2}"],
  ["docker-token", "dckr_(?:pat|oat)_[\\w-]{20,}"],
  ["1password-token", "ops_ey[A-Za-z0-9+/=_-]{60,}"],
  ["supabase-key", "sb(?:p|_secret)_[\\w-]{30,}"],
  ["rubygems-key", "rubygems_[a-f0-9]{40,}"],
  ["sentry-token", "sntry[su]_[A-Za-z0-9+/=_-]{30,}"],
  ["tailscale-key", "tskey-[a-z]+-[\\w-]{16,}"],
  ["atlassian-token", "ATATT3[\\w=-]{40,}"],
  ["mail-key", "(?:xkeysib-[a-f0-9]{32,}-\\w+|(?<!\\w)[0-9a-f]{32}-us\\d{1,2}(?![A-Za-z0-9]))"],
  ["age-key", "AGE-SECRET-KEY-1[0-9A-Z]{40,}"],
  ["jwt", "(?<![\\w-])eyJ[\\w-]{8,}\\.[\\w-]{8,}(?:\\.[\\w-]*){1,3}"],
];

// Not after a letter: that would be the middle of another word.
const shapes = tokenShapes.map(([kind, shape]) => ({
  kind,
  pattern: new RegExp(`(?<![A-Za-z])${shape}`, "dg"),
}));

/** Finds the secrets that secretlint misses or sees only in certain files: by shape, by name, by place. */
export function findBySecretRules(text: string): SecretFinding[] {
  return [
    ...findPrivateKeys(text),
    ...findTokens(text),
    ...findUrlCredentials(text),
    ...findAuthorization(text),
    ...findAssignments(text),
    ...findCommandCredentials(text),
  ];
}

function findTokens(text: string): SecretFinding[] {
  const findings: SecretFinding[] = [];
  for (const { kind, pattern } of shapes) {
    for (const found of text.matchAll(pattern)) {
      const [start, end] = found.indices?.[1] ?? [found.index, found.index + found[0].length];
      findings.push({ start, end, kind });
    }
  }
  return findings;
}
