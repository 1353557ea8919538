import { holdsToken, standIn } from "../../hygiene/stand-in.js";
import { boundNote } from "./bound-note.js";
import type { Note } from "../observer.js";

/**
 * Whether something in a note may have to be redacted. False only for what `redactNote` would leave as it is; true for
 * much that it would, because loading the rules takes a third of the time that a hook's process has.
 */
export function needsRedaction(note: Note): boolean {
  return someText(note, mayHoldSecret);
}

/** The note with its secrets, private parts and invisible characters taken out. A text that may not be kept is dropped. */
export async function redactNote(note: Note): Promise<Note> {
  return boundNote(await redactTexts(note));
}

/** The same of anything that was made of notes, whatever its size. */
export async function redactTexts<T>(given: T): Promise<T> {
  const { cleanText } = await import("../../hygiene/hygiene.js");
  const clean = async (value: unknown, name: string): Promise<unknown> => {
    if (unread.has(name)) return typeof value === "string" ? standIn(value) : value;
    if (typeof value === "string") {
      if (!mayHoldSecret(value)) return value;
      return cleanText(value, name).then(
        // A path or another name may hold a token where no text would.
        ({ text }) => (/\s/.test(text) ? text : standIn(text)),
        () => (needed.has(name) ? "" : undefined),
      );
    }
    if (Array.isArray(value)) {
      const items = await Promise.all(value.map((item) => clean(item, name)));
      return items.filter((item) => item !== undefined);
    }
    if (typeof value !== "object" || value === null) return value;
    const cleaned: Record<string, unknown> = {};
    for (const [key, inner] of Object.entries(value)) {
      const kept = await clean(inner, key);
      if (kept !== undefined) cleaned[key] = kept;
    }
    return cleaned;
  };
  return (await clean(given, "")) as T;
}

// Ids, marks and words of our own: no text of anybody's. One that is a token all the same gets a stand-in, and stays an id.
const unread = new Set(
  (
    "kind call child mark fingerprint pairs whole remembers instructions sha commit root does purpose by is from outcome " +
    "state type tool id point trigger transcript answer"
  ).split(" "),
);
// What a note of its kind cannot be without.
const needed = new Set("text message line name pattern title label methodology what".split(" "));

function someText(value: unknown, test: (text: string) => boolean): boolean {
  if (typeof value === "string") return test(value);
  if (typeof value !== "object" || value === null) return false;
  for (const name in value) {
    const inner = (value as Record<string, unknown>)[name];
    if (unread.has(name) ? typeof inner === "string" && holdsToken(inner) : someText(inner, test)) return true;
  }
  return false;
}

/** True also for much that holds none. */
export function mayHoldSecret(text: string): boolean {
  if (text.length < 4) return false;
  if (token.test(text)) return true;
  // A path or a name by itself says nothing of a value.
  if (/^[\w./\\@+~()[\]-]+$/.test(text)) return false;
  return named.test(text) || placed.test(text) || hasInvisible(text);
}

// A long run with digits, or any long run behind the sign that ends a token's beginning; and what begins shorter ones.
const token =
  /(?=[A-Za-z]{0,60}\d)[A-Za-z0-9]{16,}|[-_~|=][A-Za-z0-9+/]{16,}|(?=[a-z_+-]{0,40}[A-Z0-9])(?=[A-Z0-9_+-]{0,40}[a-z])(?=[A-Za-z_+-]{0,40}\d)[\w+-]{24,}|(?:xox|xapp-|sk-|sk_|SG\.|eyJ|A3-|hooks\.|AIza|GOCSPX|ya29|hv[sbr]\.|dp\.|glpat|BEGIN|LS0tLS1|Private-Lines|webhook)|-[0-9a-f]{4}-[0-9a-f]{4}-/;

// A name of a secret, then what may lead to its value.
const named =
  /(?:pass|pw|psk|clave|key|secret|token|auth|_pat|cred)[\w.-]{0,24}["'`\\\])*]{0,8}\s{0,8}(?:[=:|>?!+→：＝]|,\s{0,4}["'`]|[({]\s{0,20}["'`]|[-–—][ >])|-(?:pass|pw|key|secret|token|auth|cred)[\w-]{0,24} |pass(?:word|wd|phrase|code)|pwd|kennwort|passwort|schlüssel|contrase|senha|wachtwoord|passord|adgangskode|senord|salasana|has[łl]o|heslo|jelszó|şifre|пароль|密[码碼]|パスワード|비밀번호|(?:key|token|secret|clave|\bpw|\bpsk)\b[^\n]{0,70}[^\s"'`,;<>()|]{8}|_pat |authorization|bearer|\bbasic |cookie/i;

// Where secrets stand without a name.
const placed =
  /:\/\/\S{0,400}@|[?&](?:sig|code)=|signature=|(?:log(?:ged)?|sign(?:ed)?)[ -]?in|anmelde|mnemonic|(?:recovery|backup|seed)[ _-]?(?:phrase|words)|\bpin\b|wi-?fi|wlan|\b(?:curl|wget|https?|xh|mysql\w*|mariadb|mongo\w*|zip|unzip|sqlcmd|bcp|redis-cli|ldap\w*|7z\w?|rar|sshpass|htpasswd|smbclient|chpasswd|kinit)\b[^\n]{0,400} -|pass:|requirepass|masterauth|net user|sudo -|SecureString|sqlplus|jdbc:|[!=]==?\s{0,2}[\w.]{0,40}(?:pass|secret|token|key)|:(?:\d{2,5}|\*):[\w*-]{1,63}:|identified |(?:root|admin|administrator|postgres):|(?:auth|credentials?|login)\w{0,20}["']?\s{0,2}[=:]?\s{0,2}[([]|\$\w{1,8}\$|<\/?private/i;

const invisible = /[\p{Default_Ignorable_Code_Point}\uFFF9-\uFFFB]/u;

function hasInvisible(text: string): boolean {
  // oxlint-disable-next-line no-control-regex
  return /[^\x00-\x7F]/.test(text) && invisible.test(text);
}
