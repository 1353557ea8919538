import { fetchDirectly, type Endpoint } from "./endpoint.js";

/**
 * Asks an endpoint that no package speaks for, and gives the JSON of its answer. For use inside `askModel`: what it
 * throws is in the form that `modelFailure` reads.
 */
export async function postJson({ url, key }: Endpoint, body: unknown, signal: AbortSignal): Promise<unknown> {
  const response = await fetchDirectly(url, {
    method: "POST",
    headers: { "content-type": "application/json", ...(key !== undefined && { authorization: `Bearer ${key}` }) },
    body: JSON.stringify(body),
    signal,
  });
  const text = await response.text();
  if (!response.ok) throw Object.assign(new Error(text), { statusCode: response.status });
  try {
    return JSON.parse(text);
  } catch {
    const cause = Object.assign(new Error("no JSON"), { name: "JSONParseError" });
    throw Object.assign(new Error("no JSON", { cause }), { statusCode: response.status });
  }
}
