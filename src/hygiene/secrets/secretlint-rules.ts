import { hasLongWord } from "./long-words.js";
import type { SecretFinding, SecretKind } from "./secret-finding.js";

/** As much of a secretlint rule as is needed to run one. */
interface SecretlintRule {
  meta: { id: string };
  create(context: Context, options: object): { file?(source: Source): void | Promise<void> };
}

interface Context {
  sharedOptions: object;
  createTranslator(messages: object): (messageId: PropertyKey, data?: unknown) => Report["message"];
  report(report: Report): void;
  ignore(): void;
}

interface Source {
  content: string;
  filePath: string | undefined;
  ext: string;
  contentType: "binary" | "text" | "unknown";
}

interface Report {
  message: { message: string; messageId: string; data: unknown };
  range: readonly [start: number, end: number];
}

const idPrefix = "@secretlint/secretlint-rule-";

/** By rule: the kind of what it finds, and what every text has in which it finds something. */
const known: Record<string, { kind: SecretKind; hint: string }> = {
  "1password": { kind: "1password-token", hint: "ops_" },
  anthropic: { kind: "anthropic-key", hint: "sk-ant-" },
  aws: { kind: "aws-key", hint: "(?:ccess|CCESS)_?(?:[Kk]ey|KEY)" },
  basicauth: { kind: "password", hint: "://[\\w-]+:[\\w-]+@" },
  "database-connection-string": { kind: "password", hint: "://[^:/\\s]{1,100}:[^@/\\s]{1,200}@" },
  databricks: { kind: "databricks-token", hint: "dapi" },
  docker: { kind: "docker-token", hint: "dckr_" },
  figma: { kind: "figma-token", hint: "figd_" },
  // Looks at files of certain names only, and never at ours.
  gcp: { kind: "google-key", hint: "(?!)" },
  github: { kind: "github-token", hint: "gh[pousr]_|github_pat_" },
  gitlab: { kind: "gitlab-token", hint: "glpat-" },
  grafana: { kind: "grafana-token", hint: "glc_|glsa_" },
  groq: { kind: "groq-key", hint: "gsk_" },
  "hashicorp-vault": { kind: "vault-token", hint: "hv[sbr]\\." },
  huggingface: { kind: "huggingface-token", hint: "hf_" },
  linear: { kind: "linear-key", hint: "lin_api_" },
  notion: { kind: "notion-token", hint: "ntn_" },
  npm: { kind: "npm-token", hint: "npm_" },
  openai: { kind: "openai-key", hint: "T3BlbkFJ" },
  privatekey: { kind: "private-key", hint: "-----BEGIN" },
  sendgrid: { kind: "sendgrid-key", hint: "SG\\." },
  shopify: { kind: "shopify-token", hint: "shp(?:pa|ca|at|ss)_" },
  slack: { kind: "slack-token", hint: "xox[abopr]-|xapp-|[Hh][Oo]{2}[Kk][Ss]\\." },
  vercel: { kind: "vercel-token", hint: "vc[piark]_" },
};
const hints = new Map(Object.entries(known).map(([rule, { hint }]) => [idPrefix + rule, new RegExp(hint)]));
// mysql://u:pass@h, but for a key whose lines are short and a token of Slack with short parts.
const shortestFinding = 15;
const inShortWords = /-----BEGIN|xox|xapp-/;
// Most hints end in a sign that is rarer than the letters they begin with, so they are looked for backwards from there: 18 ms
// for 2.4 MB of source instead of 36 (2026-11).
const endsInSign = /(?:[_-]|\\\.)$/;
const anyInSign = new RegExp(`[_.-](?<=${sourcesOfHints(true)})`);
const anyOther = new RegExp(sourcesOfHints(false));

function sourcesOfHints(inSign: boolean): string {
  const sources = Object.values(known).map(({ hint }) => hint);
  return sources.filter((source) => endsInSign.test(source) === inSign).join("|");
}

let loading: Promise<SecretlintRule[]> | undefined;

/** False only for a text in which no rule of secretlint would find anything. */
export function mayFindBySecretlint(text: string): boolean {
  if (hasLongWord(text, shortestFinding) && (anyInSign.test(text) || anyOther.test(text))) return true;
  return inShortWords.test(text);
}

/**
 * Finds what the rules of secretlint's recommended preset find. The first call loads them (7 ms).
 *
 * The rules are run here and not by secretlint's `lintSource`, which leaves some 150 performance entries behind with
 * every text and searches them all with the next: 12 ms a text over the first 500 texts, 45 ms over the second 500;
 * this way 0.04 ms if all of them ran, and most need not.
 */
export async function findBySecretlint(text: string): Promise<SecretFinding[]> {
  loading ??= loadRules();
  const findings: SecretFinding[] = [];
  // A neutral name: some rules read the file that they are told of, or look at certain files only.
  const source: Source = { content: text, filePath: "text.txt", ext: ".txt", contentType: "text" };
  for (const rule of await loading) {
    const concerned = hints.get(rule.meta.id)?.test(text) ?? true;
    if (concerned) await rule.create(contextOf(rule, text, findings), {}).file?.(source);
  }
  return findings;
}

async function loadRules(): Promise<SecretlintRule[]> {
  const preset = await import("@secretlint/secretlint-rule-preset-recommend");
  const rules: SecretlintRule[] = preset.rules;
  // Without the rule that lets a comment in the text (`secretlint-disable`) switch the others off.
  return rules.filter((rule) => rule.meta.id !== `${idPrefix}filter-comments`);
}

function contextOf(rule: SecretlintRule, text: string, findings: SecretFinding[]): Context {
  return {
    sharedOptions: {},
    createTranslator: () => (messageId, data) => ({ message: "", messageId: String(messageId), data }),
    report: (report) => void findings.push(locate(text, rule.meta.id, report)),
    ignore: () => {},
  };
}

/** Some rules report a range that begins at the name before the secret; what they found itself is in the data. */
function locate(text: string, ruleId: string, { message, range }: Report): SecretFinding {
  const kind = known[ruleId.slice(idPrefix.length)]?.kind ?? "secret";
  const value = Object.values(message.data ?? {}).find((datum) => typeof datum === "string") ?? "";
  const index = text.indexOf(value, range[0]);
  if (value === "" || index === -1) return { start: range[0], end: range[1], kind };

  // Of an address only the secret part is taken, so that one can still read where it led.
  const secretPart = /:\/\/[^:/\s]{1,256}:([^@/\s]{1,256})@/d.exec(value) ?? /\/services\/(.+)$/di.exec(value);
  const [start, end] = secretPart?.indices?.[1] ?? [0, value.length];
  return { start: index + start, end: index + end, kind: message.messageId === "IncomingWebhook" ? "webhook" : kind };
}
