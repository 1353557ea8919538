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
    "mysql -u root -p hunter2 shop",
    "mongosh -u bob -p hunter2 shop",
    "docker login -u bob -p hunter2 registry",
    "redis-cli -h cache -a hunter2 ping",
    "ldapsearch -x -w hunter2 -b dc=a",
    "openssl rsa -passin pass:hunter2 -in a",
    "zip -P hunter2 a.zip a",
    "7z x -phunter2 a.7z",
    "smbclient //host/share -U bob%hunter2",
    "htpasswd -b file bob hunter2",
    "net user bob hunter2 /add",
    "echo hunter2 | sudo -S ls",
    "echo 'bob:hunter2' | chpasswd",
    'ConvertTo-SecureString "hunter2" -AsPlainText',
    "sqlplus bob/hunter2@ORCL",
    "jdbc:oracle:thin:bob/hunter2@//db:1521/x",
    "requirepass hunter2",
    "db.host:5432:shop:bob:hunter2",
  ])("finds the password in %j", (text) => {
    const found = findCommandCredentials(text).map(({ start, end }) => text.slice(start, end));

    expect(new Set(found)).toEqual(new Set(["hunter2"]));
  });

  it.each([
    ['auth=("bob", "hunter2!x")', "hunter2!x"],
    ['if ("s3cr3t-x" === api_key) {', "s3cr3t-x"],
    ["root:Hunter2!x", "Hunter2!x"],
    [`bob:$2b$10$${"a1B2".repeat(13)}`, `$2b$10$${"a1B2".repeat(13)}`],
  ])("finds the secret in %j", (text, secret) => {
    expect(findCommandCredentials(text).map(({ start, end }) => text.slice(start, end))).toEqual([secret]);
  });

  it.each([
    "docker run -u 1000:1000 image",
    "mkdir -p a/b",
    "curl -u $USER:$PASSWORD https://a.b",
    "mysql -u root -p db",
    "docker run -p 8080:80 nginx",
    "image: postgres:18-alpine",
    "echo done | tee log",
    'author=["bob@example.com", "lisa@example.com"]',
    "src/a.ts:12:5: error",
    'fields = ("user", "password1")',
  ])("finds none in %j", (text) => {
    expect(findCommandCredentials(text)).toEqual([]);
  });
});
