import type { Memory } from "../../memory/memory.js";
import { saysNothingToReader, withheldText } from "../../observer/notes/notes.js";

/**
 * What a memory says that was inferred from behaviour, without errors that speak to their reader. New ones hold none; those of
 * earlier versions may quote whatever a dependency had printed.
 */
export function withoutErrorTexts({ source }: Pick<Memory, "source">, text: string): string {
  if (source !== "observer_inferred" && source !== "mcp_auto" && source !== "qa_auto") return text;
  return text.replaceAll(quoted, (whole, leads: string, double: string | undefined, single: string | undefined) => {
    const error = double ?? single ?? "";
    return saysNothingToReader(error) ? whole : `${leads}\`${withheldText("error")}\``;
  });
}

// As the templates quote one: fails with `TypeError: …`.
const quoted = /((?:fails|failed|failing) with )(?:`` ?([^]*?) ?``|`([^`]*)`)/g;
