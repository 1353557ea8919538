import { compareSignatures, tellSignatures } from "./compare-signatures.js";
import { statedParameters } from "./list-claims.js";
import { findMisstated, type SymbolReading } from "./read-symbol.js";
import { quoteCode, shorten } from "./quote-code.js";
import type { SeenSymbol } from "./grounds.js";

// A longer value is not told, only what is missing from it.
const longestValue = 60;

export interface ComparedText {
  content: string;
  userVerified: boolean;
}

/**
 * Why a memory may no longer be true of a symbol; undefined where nothing speaks against it. A signature counts where it is
 * another one for whoever calls it, or the memory writes it out; a value where the memory says the old one.
 */
export function compareSymbol(
  { content, userVerified }: ComparedText,
  before: SeenSymbol,
  now: SymbolReading,
  name: string,
): string | undefined {
  const { signature, value } = now.symbol;
  if (before.signature && signature) {
    const change = compareSignatures(before.signature, signature, content);
    const stated = statedParameters(content, name)?.join();
    const [old, next] = [before.signature, signature].map(({ parameters }) => parameters.map((one) => one.name).join());
    const isWrittenOut = stated !== undefined && stated === old && stated !== next;
    if (change === "other" || (change === "wider" && isWrittenOut)) {
      const [was, is] = tellSignatures(name, before.signature, signature);
      return `${quoteCode(was)} is ${quoteCode(is)} now`;
    }
  }
  const [said] = before.mentions?.find(([, token]) => !now.words.has(token)) ?? [];
  if (said !== undefined && value !== before.value) {
    if (value !== undefined && value.length <= longestValue) {
      return `${quoteCode(name)} is ${quoteCode(value)} now, the memory says ${shorten(said)}`;
    }
    return `${quoteCode(name)} no longer has ${quoteCode(said)}`;
  }
  const misstated = userVerified ? undefined : findMisstated(now, content, name);
  if (misstated === undefined) return undefined;
  return `${quoteCode(name)} is ${quoteCode(value ?? "")}, the memory says ${shorten(misstated)}`;
}
