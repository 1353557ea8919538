import { describe, expect, it } from "vitest";
import { findSpokenPasswords } from "./spoken-passwords.js";

describe("findSpokenPasswords", () => {
  it.each([
    "the staging password is hunter2.",
    "log in with password hunter2!",
    "The password for the staging database is hunter2.",
    "Password for bob: hunter2",
    "The admin password was changed to hunter2 in May",
    "use hunter2 as the password",
    "hunter2 is the root password",
    "Das Kennwort vom WLAN ist hunter2",
    "La contraseña es hunter2.",
    "パスワードは hunter2 です",
    "credentials: bob / hunter2",
    "log in with bob / hunter2 there",
  ])("finds the password in %j", (text) => {
    const found = findSpokenPasswords(text).map(({ start, end }) => text.slice(start, end));

    expect(new Set(found)).toEqual(new Set(["hunter2"]));
  });

  it.each([
    ['the password is "swordfish"', "swordfish"],
    ["the API key is a1b2c3d4e5f6g7", "a1b2c3d4e5f6g7"],
    [`use the token ${"a1b2c3d4".repeat(4)} for it`, "a1b2c3d4".repeat(4)],
    ["the PIN is 548811", "548811"],
    [`seed phrase: ${"apple ".repeat(11)}zebra`, `${"apple ".repeat(11)}zebra`],
    ["sign in with bob/Hunter2!x today", "Hunter2!x"],
  ])("finds the secret in %j", (text, secret) => {
    const found = findSpokenPasswords(text).map(({ start, end }) => text.slice(start, end));

    expect(new Set(found)).toEqual(new Set([secret]));
  });

  it.each([
    "the password is required",
    "the password is 12 characters long",
    "the password field is marked as dirty",
    "the token is sha256 of the body",
    "password hashing",
    "the password of the user was reset to its default",
    "log in to app/dashboard2 first",
    "the PIN is short",
    "sign in via oauth/v2",
    "a recovery phrase is twelve words that nobody may see",
  ])("finds none in %j", (text) => {
    expect(findSpokenPasswords(text)).toEqual([]);
  });
});
