import { withoutDirectives } from "../without-directives.js";

/**
 * A source of C or C++ as its grammar can read it, as long as it was: of several branches the first, and without the words
 * that only a preprocessor understands. A grammar takes `LUA_API int lua_open(…)` for a type and an error: without this 48
 * of 61 files of Lua and 58 of 415 of curl do not parse.
 */
export function withoutMacros(source: string): string {
  const read = withoutDirectives(source, /^define$/, /^include$/);
  const types = typesIn(read);
  let isContinued = false;
  let before = "";
  return read
    .split("\n")
    .map((line) => {
      const isDirective = isContinued || /^[ \t]*#/.test(line);
      isContinued = isDirective && /\\\r?$/.test(line);
      // A line of that length was written by a program.
      if (isDirective || line.length > 1000) return line;
      const clean = cleanLine(line, before, types);
      if (!/^\s*(?:$|\/[/*]|\*)/.test(line)) before = line;
      return clean;
    })
    .join("\n");
}

/** Types that are written here: `FMT_CONSTEXPR Store(int n)` makes one, where another word would be what a function gives. */
function typesIn(source: string): Set<string> {
  return new Set(
    Array.from(source.matchAll(/\b(?:class|struct)[ \t]+(?:[A-Z_]+[ \t]+)?(\w+)/g), ([, name]) => name ?? ""),
  );
}

const keywords = new Set(
  `alignas asm auto bool break case catch char class co_await co_return co_yield concept const consteval constexpr constinit
   continue decltype default delete do double else enum explicit export extern final float for friend goto if inline int long
   mutable namespace new noexcept operator override private protected public register requires restrict return short signed
   sizeof static static_assert struct switch template this thread_local throw try typedef typename union unsigned using
   virtual void volatile wchar_t while`.split(/\s+/),
);
/** Words that are whole types, so that a name may follow them. */
const plain = new Set("auto bool char double float int long short void wchar_t".split(" "));

const macro = String.raw`[A-Z_][A-Z0-9_]{2,}`;
const given = String.raw`(?:\((?:[^()]|\([^()]*\))*\))?`;
/** What a template is given. It holds no other twice over, so that there is one way to read it. */
const angled = String.raw`(?:<(?:[^;{}()<>]|<[^;{}()<>]*>)*>)?`;
/** What may stand in front of a declaration. */
const specifiers = String.raw`^[ \t]*(?:template[ \t]*<[^;{}]*>[ \t]*)?(?:(?:static|extern|inline|virtual|explicit|friend|constexpr|typedef)[ \t]+)*`;

const onType = new RegExp(
  String.raw`\b(class|struct|union|enum)([ \t]+)(${macro}${given})(?=[ \t]+\w+[ \t]*(?:final[ \t]*)?(?:[{]|:(?!:)|$))`,
);
const onForward = new RegExp(String.raw`^([ \t]*class)([ \t]+)(${macro})(?=[ \t]+\w+;)`);
const inFront = new RegExp(
  String.raw`(${specifiers})(\w+)(${given}[ \t]+)(\w+)(?=(?:::\w+)*${angled}[ \t*&]+(?:\(\w+\)[ \t]*\(|~?\w))`,
);
const beforeMaking = new RegExp(String.raw`(${specifiers})(${macro})(?=[ \t]+(\w+)\()`);
const afterType = new RegExp(String.raw`(${specifiers}[\w:<>]+(?:[ \t]+\w+)?[ \t*&]+)(${macro})(?=[ \t]+\w+[ \t]*\()`);
const afterName = new RegExp(
  String.raw`((?:^|[(,])[ \t]*(?:[\w:]+${angled}[ \t*&]+)+)(\w+(?:\[[\w:]*\])?[ \t]+)(${macro}${given})(?=[ \t]*(?:[;,)=]|$))`,
);
const afterList = new RegExp(
  String.raw`^([ \t]*(?:(?:[\w:<>,*&~]+[ \t]+)+[*&]*[\w:~]+|~\w+)\([^()]*\)(?:[ \t]+(?:const|noexcept|override|final))*[ \t]+)(${macro}${given})(?=[ \t]*(?:[;{=]|:(?!:)))`,
);
const afterMember = new RegExp(
  String.raw`^([ \t]*${macro}[ \t]+)(${macro}\((?:[^()]|\([^()]*\))*\))(?=[ \t]*(?:[,=]|$))`,
);
const inPointer = new RegExp(String.raw`\((${macro})(?=[ \t]+\*[ \t]*\w+\)[ \t]*\()`);
const inTemplate = new RegExp(
  String.raw`^([ \t]*template[ \t]*<[^;{}]*?)(,[ \t]*${macro}\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\))(?=[ \t]*>)`,
);
const onLine = new RegExp(String.raw`^[ \t]+${macro}\([^()]*\)(?=[ \t]*[;{]?[ \t]*\r?$)`);
const alone = /^[ \t]*(?=\w+_)_*(?:[A-Z0-9]+_)*(?:BEGIN|END)(?:_[A-Z0-9_]+)?[ \t]*\r?$/;

function cleanLine(line: string, before: string, types: ReadonlySet<string>): string {
  if (!/[A-Z_]{3}|va_arg|^\w+[ \t]+\w+[ \t*]+\(?\w/.test(line)) return line;
  if (alone.test(line) && !/[,{][ \t]*\r?$/.test(before)) return blank(line);
  // `void Read()`, and in the next line `REQUIRES(lock);`.
  const isTail = /[\w)\]][ \t]*\r?$/.test(before) && /^[^=]*\w[ \t*&]+\w/.test(before) && !isStatement(before);
  let clean = (isTail ? line.replace(onLine, blank) : line)
    .replace(/\bva_arg[ \t]*\(([^,()]+)(,[^()]*)\)/, (all, _list, type: string) => all.replace(type, blank(type)))
    .replace(onType, (_, kind: string, space: string, word: string) => kind + space + blank(word))
    .replace(onForward, (_, kind: string, space: string, word: string) => kind + space + blank(word))
    .replace(inPointer, (_, word: string) => `(${blank(word)}`)
    .replace(inTemplate, (_, front: string, word: string) => front + blank(word))
    .replace(afterMember, (_, front: string, word: string) => front + blank(word));
  // `Items items GUARDED_BY(lock);`, where the first word is a type, and none of these.
  if (!isMacro(/\w+/.exec(clean)?.[0] ?? "")) clean = clean.replace(afterName, withoutTail);
  // Several may stand in a row.
  for (let turn = 0; turn < 3; turn += 1) {
    const last = clean;
    clean = clean.replace(inFront, (all, front: string, first: string, between: string, second: string) => {
      if (keywords.has(first) || (keywords.has(second) && !opensType(second)) || /^\s*(?:else|return)\b/.test(all))
        return all;
      const isConvention = isMacro(second) && !isMacro(first);
      return isConvention ? front + first + between + blank(second) : front + blank(first + between) + second;
    });
    if (clean === last) break;
  }
  return clean
    .replace(beforeMaking, (all, front: string, word: string, name: string) =>
      types.has(name) ? front + blank(word) : all,
    )
    .replace(afterType, (all, front: string, word: string) => (endsInType(front) ? front + blank(word) : all))
    .replace(afterName, withoutTail)
    .replace(afterList, (all, front: string, word: string) => (isStatement(front) ? all : front + blank(word)));
}

function withoutTail(all: string, front: string, name: string, word: string): string {
  return endsInType(front) && !keywords.has(name.trim()) ? front + name + blank(word) : all;
}

function isStatement(text: string): boolean {
  return /^\s*(?:else|return|new|delete|throw|do|case|default)\b|\b(?:if|for|while|switch)[ \t]*\(/.test(text);
}

/** A word with which a type may begin. */
function opensType(word: string): boolean {
  return (
    plain.has(word) ||
    /^(?:const|volatile|struct|union|enum|unsigned|signed|inline|static|constexpr|virtual|explicit)$/.test(word)
  );
}

/** Whether what stands in front of a name is a type, and not only a word that goes before one. */
function endsInType(front: string): boolean {
  if (/[*&][ \t]*const[ \t]*$/.test(front)) return true;
  const last = /(\w+)(?:<[^<>]*>)?[ \t*&]*$/.exec(front)?.[1] ?? "";
  return last !== "" && (!keywords.has(last) || plain.has(last));
}

function isMacro(word: string): boolean {
  return /^[A-Z_][A-Z0-9_]{2,}$/.test(word);
}

function blank(text: string): string {
  return text.replaceAll(/[^\r]/g, " ");
}
