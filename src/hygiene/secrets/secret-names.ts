/**
 * What secrets are called. The family says how much a name alone proves: after `password` a plain word is a secret, after
 * `key` only what is scrambled.
 */
const names = {
  password: [
    "pass(?:word|wd|phrase|code)|pwd|(?<![a-z])(?:psk|pw(?![a-z]))",
    "passwort|kennwort|contrase[ñn]a|mot[ _-]de[ _-]passe|senha|wachtwoord|passord|adgangskode|l[öo]senord|salasana",
    "has[łl]o|heslo|jelszó|şifre|пароль|密[码碼]|パスワード|비밀번호",
  ].join("|"),
  // Also what a test does and how words end (bypass); `clave` opens a lock or explains a map.
  pass: "pass|clave",
  key: [
    "(?:api|secret|access|private|auth|encryption|signing|master|account|app|admin|subscription|session|storage|webhook|deploy)",
    "(?:key(?:[-_]base)?|schlüssel)",
  ].join("[-_. ]?"),
  secret: "secret",
  token: "token|(?<![A-Za-z0-9])_auth|(?<=_)pat(?![a-z])",
  // Says little: a map has keys, and so has a table.
  weak: "(?<!pub|public[-_. ]?)key|schlüssel|auth(?![a-z])|credentials?|creds",
} as const;

export type NameFamily = keyof typeof names;

export const nameFamilies = Object.keys(names) as NameFamily[];

/** Part of every name, and quicker to look for. */
export const nameHint =
  /pass|pw|psk|kennwort|clave|schlüssel|contrase|senha|wachtwoord|adgangskode|senord|salasana|has[łl]o|heslo|jelszó|şifre|пароль|密[码碼]|パスワード|비밀번호|key|secret|token|auth|_pat|cred/i;

/** Matches any name, for flag `i`. */
export const anyName = Object.values(names).join("|");

/** Matches any name in a group that is called after its family, for flag `i`. */
export const familyName = nameFamilies.map((family) => `(?<${family}>${names[family]})`).join("|");

/** Matches a name that says more than `key`, for flag `i`. */
export const tellingName = nameFamilies
  .filter((family) => family !== "weak")
  .map((family) => names[family])
  .join("|");

/** Matches what a password is called in a sentence, for flag `i`. */
export const passwordName = `${names.password}|clave`;
