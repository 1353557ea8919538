/** Where a secret's own characters stand in a text, and what kind of secret it is. */
export interface SecretFinding {
  start: number;
  end: number;
  kind: SecretKind;
}

/** One way to find secrets. */
export interface SecretRule {
  /** False only for a text in which `find` would find nothing; much cheaper to ask. */
  mayFind: (text: string) => boolean;
  find: (text: string) => SecretFinding[];
}

/** Every word that a redaction marker may carry. A closed list, so that no secret can pose as a marker. */
export const secretKinds = [
  "password",
  "secret",
  "token",
  "api-key",
  "private-key",
  "jwt",
  "authorization",
  "webhook",
  "1password-token",
  "age-key",
  "anthropic-key",
  "atlassian-token",
  "aws-key",
  "azure-key",
  "cloudflare-token",
  "databricks-token",
  "digitalocean-token",
  "discord-token",
  "docker-token",
  "doppler-token",
  "figma-token",
  "github-token",
  "gitlab-token",
  "google-key",
  "grafana-token",
  "groq-key",
  "huggingface-token",
  "linear-key",
  "mail-key",
  "netlify-token",
  "notion-token",
  "npm-token",
  "openai-key",
  "pypi-token",
  "replicate-token",
  "rubygems-key",
  "sendgrid-key",
  "sentry-token",
  "shopify-token",
  "slack-token",
  "stripe-key",
  "supabase-key",
  "tailscale-key",
  "telegram-token",
  "twilio-key",
  "vault-token",
  "vercel-token",
  "xai-key",
] as const;

export type SecretKind = (typeof secretKinds)[number];

/** What stands in a text where a secret stood. */
export function redactionMarker(kind: SecretKind): string {
  return `[redacted:${kind}]`;
}

const markers = new RegExp(`\\[redacted:(?:${secretKinds.join("|")})\\]`, "g");

// No rule takes this character for a part of a secret or of its name.
const blank = "\u0001";

/** The same text with every marker blanked out, each character in its place, so that no rule looks into one. */
export function blankMarkers(text: string): string {
  return text.includes("[redacted:") ? text.replace(markers, (marker) => blank.repeat(marker.length)) : text;
}

/** True when nothing but markers stood there. */
export function isBlanked(value: string): boolean {
  return value !== "" && value.replaceAll(blank, "") === "";
}

/** The parts of a finding that are not blanked out. */
export function splitAtBlanks(text: string, finding: SecretFinding): SecretFinding[] {
  const found = text.slice(finding.start, finding.end);
  if (!found.includes(blank)) return [finding];
  // oxlint-disable-next-line no-control-regex -- the blank is a control character so that no text is likely to hold it
  return [...found.matchAll(/[^\u0001]+/g)].map((part) => ({
    kind: finding.kind,
    start: finding.start + part.index,
    end: finding.start + part.index + part[0].length,
  }));
}
