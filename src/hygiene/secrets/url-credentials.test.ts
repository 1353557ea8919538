import { describe, expect, it } from "vitest";
import { findUrlCredentials } from "./url-credentials.js";

describe("findUrlCredentials", () => {
  it.each([
    ["postgres://bob:hunter2@host/db", "hunter2"],
    ["mysql://root:root@127.0.0.1:3306", "root"],
    ["mongodb+srv://bob:pa%40ss@c.x.net/db?w=1", "pa%40ss"],
    ["redis://:hunter2@localhost:6379", "hunter2"],
    ["amqp://guest:guest@mq", "guest"],
    ["git clone https://bob:hunter2@github.com/x.git", "hunter2"],
    ["postgres://bob:p@ss/w0rd@host/db", "p@ss/w0rd"],
    ["https://0a1b2c3d4e5f0a1b2c3d4e5f@o1.ingest.sentry.io/2", "0a1b2c3d4e5f0a1b2c3d4e5f"],
    ["https://x.blob.core.windows.net/c?sv=2024&sig=a1b2c3d4e5f6g7h8%3D", "a1b2c3d4e5f6g7h8%3D"],
    ["Credential=a/b, Signature=0a1b2c3d4e5f0a1b2c3d4e5f", "0a1b2c3d4e5f0a1b2c3d4e5f"],
    ["https://0123abcd0123abcd:x-oauth-basic@github.com/x", "0123abcd0123abcd"],
  ])("finds the secret in %j", (text, secret) => {
    const found = findUrlCredentials(text).map(({ start, end }) => text.slice(start, end));

    expect(found).toContain(secret);
  });

  it.each([
    "https://example.com/a:b@c",
    "http://localhost:3000/@vite/client",
    "https://unpkg.com:443/foo@1.2.3/x",
    "https://user:password@example.com",
    "postgres://user:pass@localhost",
    "postgres://bob:${PASSWORD}@host/db",
    "postgres://bob:<password>@host/db",
    "postgres://bob:***@host/db",
    "ssh://git@host:22/x",
    "git@github.com:org/repo.git",
    "https://bob@host",
    "https://a-long-user-name-without-digits@host",
    "https://host/?code=invalid_grant_error",
    "https://bob:@host",
  ])("finds none in %j", (text) => {
    expect(findUrlCredentials(text)).toEqual([]);
  });
});
