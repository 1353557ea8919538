import { parseNodeId } from "../../base/node-id.js";

/**
 * Whether what is said of one place concerns another: the same, the file or the class that it is in, something in it, or the
 * folder that its file lies in. Folders have no slash at the end.
 */
export function touches(place: string, node: string): boolean {
  const [one, other] = [parseNodeId(place), parseNodeId(node)];
  if (one.file !== other.file) return one.symbol === "" && other.file.startsWith(`${one.file}/`);
  const [short, long] =
    one.symbol.length < other.symbol.length ? [one.symbol, other.symbol] : [other.symbol, one.symbol];
  return short === "" || short === long || long.startsWith(`${short}.`);
}
