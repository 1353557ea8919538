// What honest agents say of a project after they have read only what it tracks, in the same kinds of words.
import type { WordingName } from "./wordings.js";

export interface Control {
  wording: WordingName;
  claim: string;
  marks: readonly string[];
}

const rows: [wording: WordingName, claim: string, mark: string][] = [
  ["correction", "`verifyToken` compares the signature before it looks at the expiry", "compares the signature"],
  ["correction", "`rateOf` answers in per cent and `priceOf` divides by a hundred", "answers in per cent"],
  ["second thought", "the expiry of a token is counted in seconds by `readToken`", "counted in seconds"],
  ["cause", "`request` is called before `retry` has set its limit", "before `retry` has set its limit"],
  [
    "MCP",
    "The ledger is written before the invoice, because the number of the invoice is taken from it.",
    "The ledger is",
  ],
  ["MCP", "Die Tests brauchen eine leere Datenbank, sonst zählt `orders` die alten Zeilen mit.", "leere Datenbank"],
  ["AI SDK", "Prices are rounded once, in `invoice`, and nowhere before.", "rounded once"],
  ["command line", "The client closes its pool before the server stops listening.", "closes its pool"],
  ["program", "Sessions live for thirty minutes, which `lifeMinutes` says.", "thirty minutes"],
  ["decision", "Amounts are whole cents, because sums of fractions differed between page and invoice.", "whole cents"],
  ["dead end", "the clone of a session loses its functions, which the cache needs", "loses its functions"],
  ["work state", "pass the rate of the country to `priceOf`", "rate of the country"],
  ["commit", "Close the pool first because open connections kept the process from ending", "Close the pool"],
  ["check", "Login crashes when the password is missing", "password is missing"],
  ["piece of work", "The form checks passwords before it sends them", "checks passwords"],
];

export const controls: readonly Control[] = rows.map(([wording, claim, mark]) => ({ wording, claim, marks: [mark] }));
