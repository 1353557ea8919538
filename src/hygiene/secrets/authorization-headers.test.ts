import { describe, expect, it } from "vitest";
import { findAuthorization } from "./authorization-headers.js";

describe("findAuthorization", () => {
  it.each([
    ["Authorization: Bearer abc123def456ghi789", "abc123def456ghi789"],
    [glued("Authorization: Basic ", "Ym9iOmh1bnRlcjI="), "Ym9iOmh1bnRlcjI="],
    ["curl -H 'Authorization: token abc123def456' x", "abc123def456"],
    ['{"Authorization": "Bearer abc123def456ghi789"}', "abc123def456ghi789"],
    ["send Bearer abc123def456ghi789 along", "abc123def456ghi789"],
    [glued("send Basic ", "Ym9iOmh1bnRlcjI= along"), "Ym9iOmh1bnRlcjI="],
    ["Cookie: theme=dark; sessionid=a1b2c3d4e5f6g7h8; lang=de", "a1b2c3d4e5f6g7h8"],
    ["Set-Cookie: connect.sid=s%3Aa1b2c3d4e5f6.g7h8; Path=/; HttpOnly", "s%3Aa1b2c3d4e5f6.g7h8"],
  ])("finds the credentials in %j", (text, secret) => {
    const found = findAuthorization(text).map(({ start, end }) => text.slice(start, end));

    expect(new Set(found)).toEqual(new Set([secret]));
  });

  it.each([
    "Authorization: Bearer <token>",
    "Authorization: Bearer ${token}",
    "authorization: `Bearer ${token}`",
    "Bearer authentication",
    "Basic authentication is off",
    "Authorization: required",
    "Authorization: Bearer TOKEN",
    "Cookie: theme=dark; consent=accepted-everything",
    "the cookie: it was eaten",
  ])("finds none in %j", (text) => {
    expect(findAuthorization(text)).toEqual([]);
  });
});

/** Puts a fake secret together, so that this file holds nothing that looks like one. */
function glued(...parts: string[]): string {
  return parts.join("");
}
