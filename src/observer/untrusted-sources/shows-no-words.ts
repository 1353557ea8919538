/**
 * Whether an answer is nothing but values: empty, numbers, versions, hashes, states. It may be from anywhere, and still nobody
 * has said anything with it. Of a command also a name or two are values (`main`, `running`, `/srv/app`); of a page or a server
 * they may be all that it says, and a path of many parts is a sentence to whoever reads it.
 *
 * @example
 * showsNoWords("https://github.com/a/b/pull/12\n") // true
 * showsNoWords("A page.")                          // false
 */
export function showsNoWords(text: string, { mayName = false }: { mayName?: boolean } = {}): boolean {
  if (text.length > longest) return false;
  const plain = text.replace(/^(?:Shell cwd was reset to .*|<\/?tool_use_error>)$/gm, "").trim();
  if (plain === "" || phrases.test(plain)) return true;
  const tokens = plain.split(/[\s"'`,;|(){}[\]]+/).filter((token) => token !== "");
  if (tokens.length > maxTokens) return false;
  let [words, bare] = [0, 0];
  for (const token of tokens) {
    if (isNumber(token)) continue;
    const isBare = /^[A-Za-z][\w-]{0,29}$/.test(token);
    if (!isBare && !isPlace(token)) return false;
    words += isBare ? 1 : namesIn(token);
    if (isBare) bare++;
    if (words > (mayName ? maxWords : 0)) return false;
  }
  // Words that stand beside each other may be an order: `rm everything`. With a value between them they name it.
  return bare < 2 || tokens.length > bare;
}

const longest = 1000;
const maxTokens = 20;
const maxWords = 2;

function isNumber(token: string): boolean {
  const bare = token.replace(/[.:,;!?]+$/, "");
  return (
    /^[-+~#$v]?\d[\d.,:_/%eExX+-]*[a-zA-Z%]{0,4}$/.test(bare) ||
    /^[-–—=*+<>|/\\~.:#@!?&%$^_✓✔✗✘•]+$/.test(bare) ||
    /^(?=[a-f\d-]*\d)[a-f\d-]{6,64}$/i.test(bare) ||
    /^v?\d+(?:\.\w{1,20}){1,5}$/.test(bare) ||
    forgeAddress.test(bare)
  );
}

// Of what an agent has just made or asked for: only owner and repository are names there.
const forgeAddress =
  /^https:\/\/[\w.-]{3,60}\/[\w.-]{1,40}\/[\w.-]{1,60}\/(?:-\/)?(?:pulls?|issues|merge_requests|commit|actions\/runs|runs|pipelines|jobs)\/[\da-f]{1,40}$/i;

/** An address, a path or the name of a file. */
function isPlace(token: string): boolean {
  const bare = token.replace(/[.:,;!?]+$/, "");
  return (
    /^[a-z][a-z\d+.-]{1,10}:\/\/\S{1,200}$/i.test(bare) ||
    /^(?:~|\.{0,2}|[a-z]:)?(?:[/\\][\w@.+~=-]+)+[/\\]?$/i.test(bare) ||
    /^[\w@.+-]+(?:\/[\w@.+~=-]+)+\/?$/.test(bare) ||
    /^[\w@.+-]*[\w]\.[a-z]\w{0,4}$/i.test(bare)
  );
}

/** How many names stand in a path, without the scheme of an address and the ending of a file. */
function namesIn(token: string): number {
  const plain = token.replace(/^[a-z][a-z\d+.-]{1,10}:\/\//i, "").replace(/\.\w{1,5}$/, "");
  return plain.split(/[^A-Za-z]+/).filter((part) => part.length > 1).length;
}

// What git and the tools of agents say where there is nothing to say.
const phrases =
  /^(?:ok|done|true|false|null|undefined|none|yes|no|\(no output\)|\(no content\)|\(Bash completed with no output\)|Tool ran without output(?: or errors)?|Already up[ -]to[ -]date\.?|Everything up-to-date|Exit code \d{1,3}|No (?:matches|files|results) found\.?|Nothing\.?)$/i;
