/**
 * Formats of tokens as services document them, none of which the scanner has a rule for. Nothing was tuned on the second list:
 * it was written first and looked at last.
 */
export interface TokenFormat {
  service: string;
  /** Literal beginning, then parts such as `hex:40` between dots and dashes that are literal. */
  shape: string;
}

const alphabets: Record<string, string> = {
  hex: "0123456789abcdef",
  HEX: "0123456789ABCDEF",
  low: "abcdefghijklmnopqrstuvwxyz0123456789",
  up: "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789",
  mix: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789",
  url: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_",
};

/** A token of this shape, the same for the same number: `acme_{hex:40}` */
export function tokenOf(shape: string, number: number): string {
  let state = 2_654_435_761 * (number + 1) + shape.length;
  const next = (most: number): number => {
    state = (Math.imul(state ^ (state >>> 15), 2_246_822_519) + 3_266_489_917) >>> 0;
    return Math.floor((state / 4_294_967_296) * most);
  };
  return shape.replaceAll(/\{(\w+):(\d+)\}/g, (_, kind: string, length: string) => {
    if (kind === "uuid") return uuidOf(next);
    const letters = alphabets[kind] ?? "";
    const body = Array.from({ length: Number(length) }, () => letters[next(letters.length)] ?? "");
    // No service ends a token with a sign, and hardly any begins its random part with one.
    for (const end of [0, body.length - 1]) if (/[-_]/.test(body[end] ?? "")) body[end] = "k";
    return body.join("");
  });
}

function uuidOf(next: (most: number) => number): string {
  const hex = (length: number): string => Array.from({ length }, () => next(16).toString(16)).join("");
  return [8, 4, 4, 4, 12].map(hex).join("-");
}

/** Those that the rule was made with. */
export const tunedFormats: TokenFormat[] = [
  { service: "rootly", shape: "rootly_{hex:64}" },
  { service: "shippo", shape: "shippo_live_{hex:40}" },
  { service: "frame.io", shape: "fio-u-{url:64}" },
  { service: "buildkite", shape: "bkua_{hex:40}" },
  { service: "prefect", shape: "pnu_{low:36}" },
  { service: "duffel", shape: "duffel_live_{url:43}" },
  { service: "nvidia", shape: "nvapi-{url:64}" },
  { service: "readme", shape: "rdme_{low:70}" },
  { service: "typeform", shape: "tfp_{url:44}" },
  { service: "wakatime", shape: "waka_tok_{uuid:0}" },
];

/** Those that it was tried on afterwards. */
export const heldOutFormats: TokenFormat[] = [
  { service: "adafruit", shape: "aio_{mix:28}" },
  { service: "infracost", shape: "ico-{mix:32}" },
  { service: "intra42", shape: "s-s4t2ud-{hex:64}" },
  { service: "mailgun", shape: "pubkey-{hex:32}" },
  { service: "scalingo", shape: "tk-us-{url:48}" },
  { service: "settlemint", shape: "sm_pat_{mix:24}" },
  { service: "pinecone", shape: "pcsk_{mix:6}_{mix:63}" },
  { service: "fireworks", shape: "fw_{mix:24}" },
  { service: "tavily", shape: "tvly-{mix:32}" },
  { service: "jina", shape: "jina_{hex:32}{url:28}" },
  { service: "render", shape: "rnd_{mix:32}" },
  { service: "neon", shape: "napi_{low:64}" },
  { service: "posthog", shape: "phx_{mix:43}" },
  { service: "statsig", shape: "secret-{mix:43}" },
  { service: "polar", shape: "polar_oat_{mix:43}" },
  { service: "cal.com", shape: "cal_live_{hex:32}" },
  { service: "trigger.dev", shape: "tr_prod_{mix:20}" },
  { service: "inngest", shape: "signkey-prod-{hex:64}" },
  { service: "axiom", shape: "xaat-{uuid:0}" },
  { service: "honeycomb", shape: "hcaik_{low:58}" },
  { service: "percy", shape: "web_{hex:64}" },
  { service: "paystack", shape: "sk_live_{hex:40}" },
  { service: "mollie", shape: "live_{mix:30}" },
  { service: "gocardless", shape: "live_{url:40}" },
  { service: "lob", shape: "live_{hex:35}" },
  { service: "elevenlabs", shape: "sk_{hex:48}" },
  { service: "langfuse", shape: "sk-lf-{uuid:0}" },
  { service: "e2b", shape: "e2b_{hex:40}" },
  { service: "daytona", shape: "dtn_{hex:64}" },
  { service: "modal", shape: "as-{mix:22}" },
  { service: "mongodb atlas", shape: "mdb_sa_sk_{url:40}" },
  { service: "yandex", shape: "AQVN{url:36}" },
  { service: "okta", shape: "00{url:40}" },
  { service: "new relic browser", shape: "NRJS-{hex:19}" },
  { service: "maxmind", shape: "{mix:6}_{mix:29}_mmk" },
  { service: "beamer", shape: "b_{url:44}" },
  { service: "mapbox", shape: "sk.eyJ1Ijoi{mix:60}.{mix:22}" },
  { service: "wiz", shape: "wiz_api_{mix:52}" },
  { service: "val town", shape: "vtwn_{mix:32}" },
  { service: "unkey", shape: "unkey_{mix:22}" },
  { service: "courier", shape: "pk_prod_{up:28}" },
  { service: "knock", shape: "sk_test_{url:43}" },
  { service: "svix", shape: "testsk_{mix:32}.eu" },
  { service: "ngrok", shape: "ngrok_api_{mix:48}" },
  { service: "cloudinary", shape: "cloudinary://{hex:15}:{url:27}@demo" },
  { service: "docker org", shape: "dckr_oat_{url:27}" },
  { service: "heroku oauth", shape: "HRKU-AA{url:58}" },
  { service: "buildkite agent", shape: "bkaj_{mix:40}" },
  { service: "nightfall", shape: "NF-{mix:32}" },
  { service: "mergify", shape: "mka_{mix:43}" },
  { service: "stytch", shape: "secret-live-{url:36}" },
  { service: "gitpod", shape: "gitpod_pat_{url:43}" },
];
