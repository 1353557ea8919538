import type { SecretFinding } from "./secret-finding.js";
import { isPlaceholder, isRandom, namesASecret } from "./secret-values.js";

/**
 * Passwords that stand at a known place of a command, a file or a statement. The first group is the password; a plain
 * word counts unless `random` asks for more.
 */
const places: { pattern: RegExp; random: boolean }[] = [
  // curl -u bob:…
  {
    pattern: /\b(?:curl|wget|http|https|xh)\b[^\n]{0,400}?\s(?:-u|--user)[ =]?["']?[^\s:"']{1,128}:([^\s"']{3,256})/dg,
    random: false,
  },
  // mysql -p…, mysqldump -p…
  {
    pattern: /\b(?:mysql|mysqldump|mysqladmin|mariadb)\b[^\n|;]{0,400}?\s-p["']?([^\s"'-][^\s"']{3,256})/dg,
    random: false,
  },
  // sshpass -p …
  { pattern: /\bsshpass[ \t]{1,4}-p[ \t]{0,4}["']?([^\s"']{3,256})/dg, random: false },
  // .netrc: machine … login … password …
  { pattern: /\blogin\s{1,8}\S{1,128}\s{1,8}password\s{1,8}(\S{3,256})/dg, random: false },
  // create user … password '…', identified by '…'
  { pattern: /\b(?:identified[ \t]{1,4}by|password)[ \t]{1,4}'([^'\n]{3,256})'/dgi, random: false },
  // the password is …
  {
    pattern: /\b(?:password|passphrase|passcode|passwd)[ \t](?:(?:is|was|to)[ \t])?["'`]?([^\s"'`,;<>()|]{6,128})/dgi,
    random: true,
  },
  { pattern: /\b(?:api[ -]?key|token|secret)[ \t](?:is|was)[ \t]["'`]?([^\s"'`,;<>()]{12,256})/dgi, random: true },
];

/** Finds passwords by where they stand: in `curl -u`, `mysql -p`, `.netrc`, SQL, or after "the password is". */
export function findCommandCredentials(text: string): SecretFinding[] {
  const findings: SecretFinding[] = [];
  for (const { pattern, random } of places) {
    for (const found of text.matchAll(pattern)) {
      const value = (found[1] ?? "").replace(/[.:!?]+$/, "");
      const start = found.indices?.[1]?.[0];
      if (start === undefined || isPlaceholder(value) || namesASecret(value)) continue;
      if (random && !isRandom(value, 6)) continue;
      findings.push({ start, end: start + value.length, kind: "password" });
    }
  }
  return findings;
}
