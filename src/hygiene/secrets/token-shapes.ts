import { longWordsOf } from "./long-words.js";
import type { SecretFinding, SecretKind } from "./secret-finding.js";

/**
 * Tokens that give themselves away by their shape: how they begin, and how they go on. What follows an unbounded part
 * never begins with a character of it, so that matching stays linear in the length of the text. A group, where there is
 * one, holds the secret's own characters.
 */
const tokenShapes: [kind: SecretKind, start: string, rest: string][] = [
  ["anthropic-key", "sk-ant-", "[\\w-]{16,}"],
  ["openai-key", "sk-(?:proj|svcacct|admin|None|or-v1|lf)-", "[\\w-]{16,}"],
  ["openai-key", "sk-", "[A-Za-z0-9]{20,}"],
  ["github-token", "gh[pousr]_", "\\w{20,}"],
  ["github-token", "github_pat_", "\\w{20,}"],
  ["gitlab-token", "gl(?:pat|dt|ft|rt|rtr|ptt|soat|cbt|agent|imt|oas|ffct)-", "[\\w-]{16,}(?:\\.[\\w-]+){0,4}"],
  ["gitlab-token", "GR1348941", "[\\w-]{20}"],
  ["slack-token", "xox[abcdeoprs][.-]", "[A-Za-z0-9.%-]{10,}"],
  ["slack-token", "xapp-", "\\d-[A-Za-z0-9-]{10,}"],
  ["webhook", "hooks\\.slack(?:-gov)?\\.com/", "(?:services|workflows|triggers)/([\\w/+-]{16,})"],
  ["webhook", "discord(?:app)?\\.com/api/", "(?:v\\d+/)?webhooks/(\\d{10,25}/[\\w-]{20,})"],
  ["webhook", "webhook\\.office\\.com/", "webhookb2/([\\w@/-]{40,})"],
  ["webhook", "hooks\\.zapier\\.com/", "hooks/catch/([\\w/]{8,})"],
  // AWS's own example of a key is none.
  [
    "aws-key",
    "(?<![A-Z0-9])(?:AKIA|ASIA|ABIA|ACCA)",
    "(?![A-Z0-9]{9}EXAMPLE(?![A-Za-z0-9]))[A-Z0-9]{16}(?![A-Za-z0-9])",
  ],
  ["aws-key", "ABSK", "[A-Za-z0-9+/]{80,}={0,2}"],
  ["aws-key", "bedrock-api-key-", "[A-Za-z0-9+/]{20,}={0,2}"],
  ["google-key", "AIza", "[\\w-]{35}"],
  ["google-key", "GOCSPX-", "[\\w-]{20,}"],
  ["google-key", "ya29\\.", "[\\w-]{20,}"],
  ["google-key", "(?<![\\w/.:])1//0", "[\\w-]{30,}"],
  ["google-key", "(?<![\\w-])AAAA[\\w-]{7}:", "[\\w-]{100,}"],
  ["npm-token", "npm_", "[A-Za-z0-9]{30,}"],
  ["pypi-token", "pypi-AgE", "[\\w-]{16,}"],
  ["pypi-token", "pypi-", "[A-Za-z0-9_]{32,}[\\w-]*"],
  ["sendgrid-key", "SG\\.", "[\\w-]{16,}\\.[\\w-]{16,}"],
  ["huggingface-token", "(?:hf|api_org)_", "[A-Za-z0-9]{30,}"],
  ["stripe-key", "(?:sk|rk)_(?:live|test|prod)_", "[A-Za-z0-9]{10,}"],
  ["stripe-key", "whsec_", "[A-Za-z0-9+/=]{20,}"],
  ["azure-key", "(?:AccountKey|SharedAccessKey)=", "([A-Za-z0-9+/=]{20,})"],
  ["azure-key", "(?<![\\w.~-])[\\w.~]{3}\\dQ~", "[\\w.~-]{31,34}(?![\\w~-])"],
  // No hash of Nix, which begin with 0 or 1.
  ["azure-key", "(?<![A-Za-z0-9])(?=[a-z]{0,51}\\d)[a-z2-9][a-z0-9]{51}(?![A-Za-z0-9])", ""],
  ["azure-key", "(?<![A-Za-z0-9])[A-Za-z0-9]{76}AZDO", "[A-Za-z0-9]{4}(?![A-Za-z0-9])"],
  ["token", "access_token\\$(?:production|sandbox)\\$", "[a-z0-9]{8,32}\\$([0-9a-f]{32})"],
  ["twilio-key", "SK", "[0-9a-f]{32}(?![A-Za-z0-9])"],
  ["telegram-token", "(?<![\\w-]|[/:]\\d{1,9})(?:bot)?\\d{8,10}:", "[\\w-]{35}(?![\\w-])"],
  ["discord-token", "(?<![\\w-])[MNO][\\w-]{22,28}\\.", "[\\w-]{6}\\.[\\w-]{27,40}(?![\\w-])"],
  ["shopify-token", "shp(?:at|ca|pa|ss|tka)_", "[A-Za-z0-9]{20,}"],
  ["digitalocean-token", "do[opr]_v1_", "[a-f0-9]{32,}"],
  ["databricks-token", "dapi", "[A-Fa-f0-9]{32}(?:-\\d)?(?![A-Za-z0-9])"],
  ["linear-key", "lin_(?:api|oauth)_", "[A-Za-z0-9]{20,}"],
  ["vercel-token", "vc[piark]_", "[A-Za-z0-9]{20,}"],
  ["doppler-token", "dp\\.(?:pt|st|ct|sa|scim|audit)\\.", "[\\w.-]{20,}"],
  ["vault-token", "hv[sbr]\\.", "[\\w-]{20,}"],
  ["vault-token", "(?<![\\w.$)\\]])s\\.", "(?=[A-Za-z]*\\d)[A-Za-z0-9]{24}(?![\\w.(])"],
  ["netlify-token", "nf[pcoub]_", "[A-Za-z0-9]{30,}"],
  ["figma-token", "fig[dor]_", "[\\w-]{20,}"],
  ["notion-token", "ntn_", "[A-Za-z0-9]{30,}"],
  ["notion-token", "secret_", "[A-Za-z0-9]{43}(?![A-Za-z0-9])"],
  ["groq-key", "gsk_", "[A-Za-z0-9]{30,}"],
  ["cloudflare-token", "cf(?:k|ut|at)_", "[A-Za-z0-9]{40,}"],
  ["cloudflare-token", "v1\\.0-[a-f0-9]{24}-", "[a-f0-9]{64,}"],
  ["xai-key", "xai-", "[A-Za-z0-9]{40,}"],
  ["replicate-token", "r8_", "[A-Za-z0-9]{30,}"],
  ["grafana-token", "gl(?:c|sa)_", "[A-Za-z0-9+/_]{32,}={0,2}"],
  ["docker-token", "dckr_(?:pat|oat)_", "[\\w-]{20,}"],
  ["1password-token", "ops_ey", "[A-Za-z0-9+/=_-]{60,}"],
  ["1password-token", "(?<![\\w-])A3-[A-Z0-9]{6}-", "[A-Z0-9]{6}(?:-?[A-Z0-9]{5}){2,4}(?![\\w-])"],
  ["supabase-key", "sb(?:p|_secret)_", "[\\w-]{30,}"],
  ["rubygems-key", "rubygems_", "[a-f0-9]{40,}"],
  ["sentry-token", "sntry[su]_", "[A-Za-z0-9+/=_-]{30,}"],
  ["tailscale-key", "tskey-", "[a-z]+-[\\w-]{16,}"],
  ["atlassian-token", "AT(?:ATT3|CTT3|BB)", "[\\w=-]{24,}"],
  ["mail-key", "xkeysib-", "[a-f0-9]{32,}-\\w+"],
  ["mail-key", "(?<!\\w)[0-9a-f]{32}-us\\d", "\\d?(?![A-Za-z0-9])"],
  ["mail-key", "(?<![\\w-])[0-9a-f]{32}-[0-9a-f]{8}-", "[0-9a-f]{8}(?![\\w-])"],
  ["mail-key", "key-", "[0-9a-f]{32}(?![A-Za-z0-9])"],
  ["mail-key", "re_", "[A-Za-z0-9]{8}_[A-Za-z0-9]{20,}"],
  ["age-key", "AGE-SECRET-KEY-1", "[0-9A-Z]{40,}"],
  ["jwt", "(?<![\\w-])eyJ", "[\\w-]{8,}\\.[\\w-]{8,}(?:\\.[\\w-]*){1,3}"],
  // Services of which a text seldom speaks: no kinds of their own.
  ["api-key", "(?<![A-Z0-9])LTAI", "[A-Za-z0-9]{16,24}(?![A-Za-z0-9])"],
  ["api-key", "(?<![A-Z0-9])AKID", "[A-Za-z0-9]{32}(?![A-Za-z0-9])"],
  ["api-key", "NR(?:AK|II|AL|RA)-", "[A-Za-z0-9]{24,}"],
  ["api-key", "PMAK-", "[a-f0-9]{24}-[a-f0-9]{34}"],
  ["api-key", "pplx-", "[A-Za-z0-9]{32,}"],
  ["api-key", "EZ[AT]K", "[A-Za-z0-9]{54}"],
  ["api-key", "(?<![A-Z0-9-])API-", "[A-Z0-9]{26}(?![\\w-])"],
  ["api-key", "FLWSECK(?:_TEST)?-", "[A-Za-z0-9]{12,}(?:-X)?"],
  ["api-key", "rzp_(?:live|test)_", "[A-Za-z0-9]{14,}"],
  ["api-key", "oy2", "[a-z0-9]{43}(?![A-Za-z0-9])"],
  ["api-key", "AKCp", "[A-Za-z0-9]{60,}"],
  ["api-key", "cmVmd", "[A-Za-z0-9]{59}"],
  ["token", "(?<![A-Za-z0-9])EAA", "(?:A[\\w-]{40,}|[A-Za-z0-9]{100,})"],
  ["token", "(?<![\\w-])\\d{15,16}(?:\\||%7C)", "[\\w-]{27,40}(?![\\w-])"],
  ["token", "sq0(?:atp|csp|idp)-", "[\\w-]{20,}"],
  ["token", "HRKU-", "[\\w-]{30,}"],
  ["token", "f(?:o1|m1[ar]|m2)_", "[\\w+/-]{40,}={0,3}"],
  ["token", "pscale_(?:tkn|oauth|pw)_", "[\\w=.-]{30,}"],
  ["token", "dt0[cs]\\d\\d\\.", "[A-Z0-9]{24}\\.[A-Z0-9]{60,}"],
  ["token", "(?:pat|sat)\\.[\\w-]{22}\\.", "[A-Za-z0-9]{24}\\.[A-Za-z0-9]{20}"],
  ["token", "pat[A-Za-z0-9]{14}\\.", "[a-f0-9]{64}"],
  ["token", "pat-[a-z]{2}\\d-", "[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}"],
  ["token", "access-(?:sandbox|development|production)-", "[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}"],
  ["token", "(?<!\\w)[A-Za-z0-9]{14}\\.atlasv1\\.", "[\\w=-]{60,}"],
  ["token", "(?<![\\w-])(?:api|sdk|mob)-[0-9a-z]{8}-", "[0-9a-z]{4}(?:-[0-9a-z]{4}){2}-[0-9a-z]{12}(?![\\w-])"],
  ["token", "CFPAT-", "[\\w-]{40,}"],
  ["token", "CLOJARS_", "[A-Fa-f0-9]{60}"],
  ["token", "CCIPAT_", "\\w{30,}"],
  ["token", "pul-", "[a-f0-9]{40}(?![A-Za-z0-9])"],
  ["token", "sq[apu]_", "[a-f0-9]{40}(?![A-Za-z0-9])"],
  ["token", "sgp_", "(?:[A-Fa-f0-9]{16}_|local_)?[A-Fa-f0-9]{40}(?![A-Za-z0-9])"],
  ["token", "lsv2_(?:pt|sk)_", "\\w{32,}"],
  ["token", "sha256~", "[\\w-]{43}"],
  ["token", "(?<![\\w.])sl\\.", "(?:u\\.)?[\\w=-]{60,}"],
];

// xoxb- and ten characters.
const shortestToken = 15;
interface Shape {
  kind: SecretKind;
  pattern: RegExp;
}

let shapes: Shape[] | undefined;

/** Built for the first text that may hold one: a hook seldom meets any. Not after a letter: that would be the middle of a word. */
function builtShapes(): Shape[] {
  shapes ??= tokenShapes.map(([kind, start, rest]) => ({
    kind,
    pattern: new RegExp(`(?<![A-Za-z])${start}${rest}`, "dg"),
  }));
  return shapes;
}

// As in the patterns, not after a letter; and none begins otherwise than with four such characters. Asked first, because
// a hundred beginnings at every place took 40 µs for 1 KB of source, and so take 11 (2026-11).
const starts = new RegExp(`(?<![A-Za-z])(?=[\\w.:/=~|%-]{4})(?:${tokenShapes.map(([, start]) => start).join("|")})`);

/** False only for a text in which no token stands. */
export function mayHoldToken(text: string): boolean {
  return starts.test(wordsLikeTokens(text));
}

const ofTokens = Uint8Array.from({ length: 128 }, (_, code) =>
  /[\w.:/=~|%+@$-]/.test(String.fromCharCode(code)) ? 1 : 0,
);

/**
 * What is long enough for a token and has no other characters than tokens have; no pattern asks for one beside it. Most
 * texts have none, and of source it is a seventh: 18 ms for 2.4 MB instead of 31 (2026-11).
 */
function wordsLikeTokens(text: string): string {
  return longWordsOf(text, shortestToken, (code) => ofTokens[code] === 1);
}

/** Finds the tokens of services by their shape, wherever they stand. */
export function findTokens(text: string): SecretFinding[] {
  const findings: SecretFinding[] = [];
  const words = wordsLikeTokens(text);
  if (!starts.test(words)) return findings;
  for (const { kind, pattern } of builtShapes()) {
    if (words.search(pattern) === -1) continue;
    for (const found of text.matchAll(pattern)) {
      const [start, end] = found.indices?.[1] ?? [found.index, found.index + found[0].length];
      findings.push({ start, end, kind });
    }
  }
  return findings;
}
