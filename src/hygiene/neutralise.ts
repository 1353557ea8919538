// oxlint-disable-next-line no-control-regex -- control characters are what this is about
const dangerous = /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/g;

/**
 * Makes text safe to print on a terminal: escape sequences, control characters and bidirectional controls are shown
 * instead of obeyed. Line feeds, tabs and ordinary text stay.
 *
 * @example
 * neutralise("\u001b[2Jgone\u202e") // "␛[2Jgone\\u{202e}"
 */
export function neutralise(text: string): string {
  return text.replace(dangerous, (character) => {
    const code = character.charCodeAt(0);
    if (code < 0x20) return String.fromCharCode(0x2400 + code);
    if (code === 0x7f) return "\u2421";
    return `\\u{${code.toString(16)}}`;
  });
}
