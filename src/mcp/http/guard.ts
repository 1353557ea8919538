import { createHash, timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";

/** The one address that there is. */
export const path = "/mcp";
/** What the protocol uses of HTTP. */
export const methods = ["POST", "GET", "DELETE"];

/** Whom a server answers. */
export interface Guard {
  port: number;
  token: string;
}

/**
 * Why a request gets no answer, as a status; undefined for one that may be read. In this order: 403 for whoever believes to
 * speak to another machine or comes from a page of one (a browser can be made to do either), 401 without the token, and
 * only for those who have it 404 and 405.
 */
export function refuse(
  { rawHeaders, url = "", method = "" }: Pick<IncomingMessage, "rawHeaders" | "url" | "method">,
  { port, token }: Guard,
): number | undefined {
  const hosts = valuesOf(rawHeaders, "host").map((host) => host.toLowerCase());
  const origins = valuesOf(rawHeaders, "origin").map((origin) => origin.toLowerCase());
  const own = ownHosts(port);
  // Beginning with anything else it names a host of its own, which then counts instead of the header.
  if (!url.startsWith("/")) return 403;
  if (hosts.length !== 1 || !own.includes(hosts[0] ?? "")) return 403;
  if (origins.length > 1 || origins.some((origin) => !own.some((host) => origin === `http://${host}`))) return 403;
  if (!hasToken(valuesOf(rawHeaders, "authorization"), token)) return 401;
  if (url !== path) return 404;
  return methods.includes(method) ? undefined : 405;
}

function ownHosts(port: number): string[] {
  const names = ["127.0.0.1", "localhost", "[::1]"];
  // The port that goes without saying.
  return [...names.map((name) => `${name}:${port}`), ...(port === 80 ? names : [])];
}

/** Every value of a header; Node's own list keeps one of several. */
function valuesOf(rawHeaders: readonly string[], name: string): string[] {
  return rawHeaders.filter((_, index) => index % 2 === 1 && rawHeaders[index - 1]?.toLowerCase() === name);
}

function hasToken(values: readonly string[], token: string): boolean {
  const [, shown] = /^Bearer +(\S+)$/i.exec(values.length === 1 ? (values[0] ?? "") : "") ?? [];
  // Of their hashes, which are of one length: how long it takes tells nothing about the token.
  return shown !== undefined && timingSafeEqual(hashOf(shown), hashOf(token));
}

function hashOf(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
