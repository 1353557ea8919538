import type { SecretFinding } from "./secret-finding.js";
import { isPlaceholder, isScrambled } from "./secret-values.js";

// user:password@ after any scheme. A password may hold an unescaped slash only where it cannot be a port and a path.
const userInfo =
  /:\/\/([^\s/:@?#"'`<>]{0,256}):((?:[^\s/?#"'`<>]{1,256}(?=@)|(?!\d+[/?#])[^\s@"'`<>]{1,256}(?=@)))@(?=[\w[.${-])/dg;
// Addresses of databases have no @ after the host, so the last one ends the password, whatever it holds.
const databaseUserInfo =
  /(?:postgres(?:ql)?|mysqlx?|mariadb|mongodb(?:\+srv)?|rediss?|amqps?|mssql|sqlserver):\/\/([^\s/:@?#"'`<>]{0,256}):((?!\d+[/?#])[^\s?"'`<>]{1,256})@(?=[\w[.${-])/dgi;
// A token in the place of the user, as in the DSN of Sentry.
const tokenAsUser = /:\/\/([\w.~%-]{20,256})@(?=[\w[])/dg;
const signature = /(?:[?&](?:sig|code)|signature)=([\w%+/=-]{16,})/dgi;

/** One of these is part of every finding. */
export const urlHint = /:\/\/|[?&](?:sig|code)=|signature=/i;

/**
 * Finds the password or token in an address of any scheme, as in `postgres://bob:…@host/db`, and the signature of a
 * signed address, which opens it as a password would.
 */
export function findUrlCredentials(text: string): SecretFinding[] {
  const findings: SecretFinding[] = [];
  for (const found of [...text.matchAll(userInfo), ...text.matchAll(databaseUserInfo)]) {
    const [, user = "", password = ""] = found;
    // GitHub takes a token as the user's name with this password.
    const userIsToken = password === "x-oauth-basic";
    const range = found.indices?.[userIsToken ? 1 : 2];
    if (range === undefined || isPlaceholder(userIsToken ? user : password)) continue;
    if (/^user(?:name)?$/i.test(user) && /^pass(?:word|wd)?$/i.test(password)) continue;
    findings.push({ start: range[0], end: range[1], kind: userIsToken ? "github-token" : "password" });
  }
  for (const found of [...text.matchAll(tokenAsUser), ...text.matchAll(signature)]) {
    const range = found.indices?.[1];
    if (range !== undefined && isScrambled(found[1] ?? "", 16)) {
      findings.push({ start: range[0], end: range[1], kind: "secret" });
    }
  }
  return findings;
}
