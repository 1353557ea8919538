import { describe, expect, it } from "vitest";
import { findCommandCredentials } from "./command-credentials.js";

describe("findCommandCredentials", () => {
  it.each([
    "curl -u bob:hunter2 https://a.b",
    "curl -s --user 'bob:hunter2' https://a.b",
    "mysql -uroot -phunter2 db",
    "sshpass -p hunter2 ssh bob@host",
    "machine a.b login bob password hunter2",
    "ALTER USER bob WITH PASSWORD 'hunter2'",
    "create user bob identified by 'hunter2'",
    "the staging password is hunter2.",
    "log in with password hunter2!",
  ])("finds the password in %j", (text) => {
    const found = findCommandCredentials(text).map(({ start, end }) => text.slice(start, end));

    expect(new Set(found)).toEqual(new Set(["hunter2"]));
  });

  it.each([
    "docker run -u 1000:1000 image",
    "the password is required",
    "the password is 12 characters long",
    "mkdir -p a/b",
    "curl -u $USER:$PASSWORD https://a.b",
    "mysql -u root -p db",
    "the token is sha256 of the body",
    "password hashing",
  ])("finds none in %j", (text) => {
    expect(findCommandCredentials(text)).toEqual([]);
  });
});
