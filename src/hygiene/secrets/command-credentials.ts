import { findInHintedLines } from "./hinted-lines.js";
import type { SecretFinding } from "./secret-finding.js";
import { isStrong } from "./secret-values.js";
import { findAtPlaces, isAnything, isNoName, isNoWord, type SecretPlace } from "./secret-places.js";

/** Passwords that stand at a known place of a command, a file or a statement. */
const places: SecretPlace[] = [
  // curl -u bob:…
  at(/\b(?:curl|wget|https?|xh)\b[^\n]{0,400}?\s(?:-u|--user|-a|--auth)[ =]?["']?[^\s:"']{1,128}:([^\s"']{3,})/dg),
  // mysql -p…
  at(/\b(?:mysql|mysqldump|mysqladmin|mariadb)\b[^\n|;]{0,400}?\s-p["']?([^\s"'-][^\s"']{3,})/dg),
  at(/\b(?:mysql|mysqldump|mysqladmin|mariadb)\b[^\n|;]{0,400}?\s-p[ \t]{1,4}["']?([^\s"'-][^\s"']{5,})/dg, isNoWord),
  // mongosh -p …, docker login -p …
  at(
    /\b(?:mongo\w{0,7}|sshpass|(?:docker|podman|oc|cf)[ \t]login)\b[^\n|;]{0,400}?\s-p[ \t]{0,4}["']?([^\s"'-][^\s"']{2,})/dg,
  ),
  // zip -P …, sqlcmd -P …, redis-cli -a …, ldapsearch -w …
  at(/\b(?:zip|unzip|sqlcmd|bcp)\b[^\n|;]{0,400}?\s-P[ \t]{0,4}["']?([^\s"'-][^\s"']{3,})/dg),
  at(/\bredis-cli\b[^\n|;]{0,400}?\s-a[ \t]{1,4}["']?([^\s"'-][^\s"']{3,})/dg),
  at(/\bldap(?:search|add|modify|delete|whoami|passwd)\b[^\n|;]{0,400}?\s-w[ \t]{1,4}["']?([^\s"'-][^\s"']{3,})/dg),
  // 7z -p…, openssl -passin pass:…, smbclient -U bob%…
  at(/\b(?:7z[ar]?|rar)\b[^\n|;]{0,400}?\s-h?p["']?([^\s"'-][^\s"']{3,})/dg),
  at(/-pass(?:in|out|word)?[ \t=]{1,4}["']?pass:([^\s"']{3,})/dg),
  at(/\s-U[ \t]{0,4}["']?[\w.\\-]{1,64}%([^\s"']{3,})/dg),
  // htpasswd -b file bob …, net user bob …
  at(/\bhtpasswd[ \t]-\w{0,6}b\w{0,6}[ \t]\S{1,128}[ \t]\S{1,64}[ \t]["']?([^\s"']{3,})/dg),
  at(/\bnet[ \t]user[ \t]\S{1,64}[ \t]["']?([^\s"'/*][^\s"']{3,})/dgi),
  // echo … | sudo -S, echo bob:… | chpasswd
  at(
    /\becho[ \t](?:-n[ \t])?["']?(?:[\w.-]{1,64}:)?([^\s"'|]{4,256})["']?[ \t]?\|[ \t]?[^\n|]{0,60}?(?:sudo[ \t]-\w{0,4}S|password-stdin|chpasswd|passphrase-fd|passwd[ \t]--stdin|kinit)/dg,
  ),
  at(/(?<=[\w.-]):([^\s"'|:]{4,256})["']?[ \t]?\|[ \t]?(?:sudo[ \t])?chpasswd/dg),
  // ConvertTo-SecureString "…"
  at(/\bConvertTo-SecureString[ \t](?:-String[ \t])?["']([^"'\n]{3,256})["']/dgi),
  // sqlplus bob/…@, jdbc:oracle:thin:bob/…@
  at(/(?:\bsqlplus[ \t](?:-\w{1,2}[ \t])?|jdbc:oracle:\w{1,8}:)["']?[\w.$-]{1,64}\/([^\s"'/@]{3,256})@/dgi),
  // redis.conf
  at(/(?:^|\n)[ \t]*(?:requirepass|masterauth)[ \t]{1,8}["']?([^\s"']{3,})/dg),
  // .pgpass: host:port:database:user:…
  at(/(?:^|\n)[\w.*-]{1,253}:(?:\d{2,5}|\*):[\w*-]{1,63}:[\w*-]{1,63}:([^\s:]{4,256})(?=$|[\r\n])/dg),
  // create user … password '…', identified by '…'
  at(/\b(?:identified[ \t]{1,4}by|password)[ \t]{1,4}'([^'\n]{3,256})'/dgi),
  // auth=("bob", "…"), new Credentials("bob", "…")
  at(
    /(?:(?<![a-z])auth(?!or)|credentials?|login|authenticate)\w{0,20}["']?[ \t]{0,2}[=:]?[ \t]{0,2}[([][ \t]{0,2}["'][^"'\n]{1,64}["'],[ \t]{0,2}["']([^"'\s]{6,128})["']/dgi,
    isNoName,
  ),
  // if ("…" === password)
  at(
    /["']([^"'\s]{6,256})["'][ \t]{0,2}[!=]={1,2}[ \t]{0,2}[\w.]{0,40}(?:password|passwd|secret|token|(?:api|private|secret)_?key)/dgi,
    isNoName,
  ),
  // root:…
  at(/(?<![\w/.:@-])(?:root|admin|administrator|postgres):([^\s"'`:,;()/]{6,})(?![:@/])/dgi, isStrong),
  // The hash of a password, as in /etc/shadow
  at(/(?<![\w$])(\$(?:2[abxy]|[1567y]|apr1|argon2(?:id|[id]))\$[\w./$=,+]{20,})/dg, isNoWord),
];

/** .netrc: machine … login … password …, each on a line of its own or all on one. */
const netrc: SecretPlace[] = [at(/\blogin\s{1,8}\S{1,128}\s{1,8}password\s{1,8}(\S{3,})/dg)];

function at(pattern: RegExp, isSecret: SecretPlace["isSecret"] = isAnything): SecretPlace {
  return { pattern, isSecret };
}

/** One of these is on the first line of every place. */
export const commandHint = new RegExp(
  [
    "curl|wget|https?\\b|xh\\b|mysql|mariadb|mongo|login|zip\\b|sqlcmd|bcp\\b|redis-cli|ldap|\\b7z|rar\\b|pass:|passw|sshpass|requirepass|\\s-U",
    "net[ \\t]user|echo[ \\t]|SecureString|sqlplus|jdbc:|masterauth|[\\d*]:[\\w*-]{1,63}:|identified[ \\t]|root:|admin:|administrator:|postgres:",
    "auth|credential|[!=]=|\\$\\w{1,8}\\$",
  ].join("|"),
  "i",
);
const everyHint = new RegExp(commandHint, "gi");
// In most places the flag with the password may stand on the next line.
const linesBehind = 1;

/** Finds passwords by where they stand: in `curl -u`, `mysql -p`, `.netrc`, SQL. */
export function findCommandCredentials(text: string): SecretFinding[] {
  return [
    ...findInHintedLines(text, everyHint, linesBehind, (lines) => findAtPlaces(lines, places)),
    ...findAtPlaces(text, netrc),
  ];
}
