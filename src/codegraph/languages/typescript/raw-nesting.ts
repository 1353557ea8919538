/** Whether brackets or elements look nested too deep where nothing is skipped, be it a comment or not. */
export function looksTooDeep(text: string, mayHoldElements: boolean): boolean {
  let [brackets, elements] = [0, 0];
  for (let at = 0; at < text.length; at += 1) {
    const kind = kindAt(text, at);
    if (kind === opening) {
      brackets += 1;
      if (brackets > maxHidden) return true;
    } else if (kind === closing) {
      if (brackets > 0) brackets -= 1;
    } else if (kind === angle && mayHoldElements) {
      if (text.charCodeAt(at + 1) === slash) elements = Math.max(0, elements - 1);
      else if (beginsElement(text, at)) elements += 1;
      // Type arguments look the same and are never closed.
      if (elements > maxHidden) return true;
    } else if (kind === greater && text.charCodeAt(at - 1) === slash) {
      elements = Math.max(0, elements - 1);
    }
  }
  return false;
}

// oxc gets through 3,600 levels of anything on the main thread with its 8 MB of stack (oxc-parser 0.155, Node 20). Of 23,500
// files of other projects, five hide more than this: drawings, data in texts, bundles.
export const maxHidden = 3200;

/** How much may be nested in a part of the text that is taken for a comment, a text or a regular expression. */
export function hiddenIn(text: string, start: number, end: number): number {
  let [brackets, tokens] = [0, 0];
  let last = other;
  for (let at = start; at < end; at += 1) {
    const kind = kindAt(text, at);
    if (kind === opening || (kind === angle && beginsElement(text, at))) brackets += 1;
    if (kind !== blank && (kind !== word || last !== word)) tokens += 1;
    last = kind;
  }
  // What is chained without brackets stands in one piece, and few comments are that long.
  return tokens > maxHidden ? tokens : brackets;
}

const [word, blank, opening, closing, angle, greater, other] = [0, 1, 2, 3, 4, 5, 6];
const slash = 47;

const kinds = Uint8Array.from({ length: 128 }, (_, code) => {
  const character = String.fromCharCode(code);
  if (/[\w$]/.test(character)) return word;
  if (code <= 32) return blank;
  if ("([{".includes(character)) return opening;
  if (")]}".includes(character)) return closing;
  if (character === "<") return angle;
  return character === ">" ? greater : other;
});

function kindAt(text: string, at: number): number {
  return kinds[text.charCodeAt(at)] ?? word;
}

/** `<a>` and `<>`. */
function beginsElement(text: string, at: number): boolean {
  const kind = kindAt(text, at + 1);
  return kind === word || kind === greater;
}
