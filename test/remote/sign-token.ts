import { sign, type KeyLike } from "node:crypto";

/** A token as sqld wants it: a JWT, signed with Ed25519. Without claims it may do everything and never ends. */
export function signToken(key: KeyLike, claims: { a?: "ro" | "rw"; exp?: number } = {}): string {
  const parts = [{ alg: "EdDSA", typ: "JWT" }, claims].map((part) => encode(JSON.stringify(part)));
  const signature = sign(undefined, Buffer.from(parts.join(".")), key);
  return [...parts, signature.toString("base64url")].join(".");
}

function encode(text: string): string {
  return Buffer.from(text).toString("base64url");
}
