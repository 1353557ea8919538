import {
  anything,
  array,
  boolean,
  constantFrom,
  json as anyJson,
  nat,
  oneof,
  record,
  string,
  tuple,
  type Arbitrary,
} from "fast-check";

const words = array(
  constantFrom(
    ...'the token was stale; {braces} [in] "quotes" \\ back \\n ``` ~~~ </think> history_entry memory_update: null, 日本 🦉 <b> # -'.split(
      " ",
    ),
    "\n",
    '{"history_entry": "inner"}',
    "}",
    "{",
  ),
  { minLength: 1, maxLength: 25 },
).map((list) => `What happened: ${list.join(" ")} and so on.`);

const rightReply = record({ entry: words, extra: words, hasUpdate: boolean(), isPretty: boolean() }).map(
  ({ entry, extra, hasUpdate, isPretty }) => ({
    entry,
    json: JSON.stringify(
      { note: extra, history_entry: entry, ...(hasUpdate && { memory_update: "" }) },
      null,
      isPretty ? 2 : 0,
    ),
  }),
);

const wrapped = tuple(
  rightReply,
  constantFrom("bare", "fence", "tilde", "words", "think", "inside", "list", "twice", "mark"),
).map(([{ entry, json }, wrap]) => {
  const reply = {
    bare: json,
    fence: `\`\`\`json\n${json}\n\`\`\``,
    tilde: `Here you are:\n\n~~~\n${json}\n~~~\nAnything else?`,
    words: `Sure! {not json} I did this: ${json} — was that "right"?`,
    think: `<think>\nPerhaps {"history_entry": "a draft"}?\n</think>\n${json}`,
    inside: `{"result": ${json}}`,
    list: `[${json}]`,
    twice: JSON.stringify(json),
    mark: `\uFEFF${json}`,
  }[wrap];
  return { reply, entry };
});

const wrongType = tuple(constantFrom(null, 7, true, [], ["x"], {}, { text: "x" }, "", "  \n"), words).map(
  ([value, update]) => ({
    reply: JSON.stringify({ history_entry: value, memory_update: update }),
    entry: undefined,
  }),
);

const truncated = tuple(words, nat()).map(([entry, cut]) => {
  const json = JSON.stringify({ history_entry: entry, memory_update: "- x" });
  const end = 1 + (cut % (json.indexOf('","memory_update"') - 1));
  return { reply: json.slice(0, end), entry: undefined };
});

const senseless = oneof(string({ unit: "binary", maxLength: 300 }), anyJson(), anything()).map((reply) => ({
  reply,
  entry: undefined,
}));

interface Reply {
  reply: unknown;
  /** The entry that is in it; absent where there is none that is whole. */
  entry: string | undefined;
}

/** What a model may answer: right replies in all sorts of wrapping, wrong ones, halves, and anything at all. */
export const anyReply: Arbitrary<Reply> = oneof(
  { arbitrary: wrapped, weight: 4 },
  { arbitrary: wrongType, weight: 1 },
  { arbitrary: truncated, weight: 2 },
  { arbitrary: senseless, weight: 2 },
);
