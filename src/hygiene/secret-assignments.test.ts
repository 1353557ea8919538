import { describe, expect, it } from "vitest";
import { findAssignments, findSecretKindUnderKey } from "./secret-assignments.js";

describe("findAssignments", () => {
  it.each([
    ["password=hunter2", "hunter2"],
    ["passwd: hunter2", "hunter2"],
    ["password = hunter2", "hunter2"],
    ["password=123456", "123456"],
    ["DB_PASSWORD=swordfish", "swordfish"],
    ["DB_PASS=letmein", "letmein"],
    [`SECRET_KEY_BASE=${"0a1b2c3d".repeat(8)}`, "0a1b2c3d".repeat(8)],
    ["PASSWORD=p@ss(w0rd)!x", "p@ss(w0rd)!x"],
    ["export PGPASSWORD='correct horse battery'", "correct horse battery"],
    ["db:\n  password: swordfish\n  user: x", "swordfish"],
    ['{"password": "hunter2", "a": 1}', "hunter2"],
    ['"{\\"password\\": \\"hunter2\\"}"', "hunter2"],
    ["const password = 'swordfish';", "swordfish"],
    ["'password' => 'hunter2'", "hunter2"],
    ["**Password:** hunter2", "hunter2"],
    ["Password: `hunter2`", "hunter2"],
    ["| password | hunter2 |", "hunter2"],
    ["user bob, password: hunter2, host db", "hunter2"],
    ["user: bob pass: hunter2", "hunter2"],
    ["<password>hunter2</password>", "hunter2"],
    ['<add key="password" value="hunter2"/>', "hunter2"],
    ["- name: DB_PASSWORD\n  value: hunter2", "hunter2"],
    ["https://a.b/c?password=swordfish&d=1", "swordfish"],
    ["Server=db;User Id=sa;Password=Sw0rdfish;Encrypt=true", "Sw0rdfish"],
    ["mysql --user root --password swordfish --host x", "swordfish"],
    ["run --token abc123def456 now", "abc123def456"],
    ["client_secret='a8f5f167f44f'", "a8f5f167f44f"],
    ["api_key: 9f8e7d6c5b4a", "9f8e7d6c5b4a"],
    ["X-Api-Key: 9f8e7d6c5b4a", "9f8e7d6c5b4a"],
    ["token=abc123def456", "abc123def456"],
    ["//registry.npmjs.org/:_authToken=abcd1234-ef56", "abcd1234-ef56"],
  ])("finds the value in %j", (text, value) => {
    const findings = findAssignments(text);

    expect(findings.map(({ start, end }) => text.slice(start, end))).toEqual([value]);
  });

  it.each([
    "the password: must be long",
    "The secret: always test first",
    "Password: required",
    "Use a password manager",
    "password: string",
    "password?: string;",
    "function f(password: string, token: Token)",
    "token: number",
    "password = process.env.X",
    "token = getToken()",
    "const token = await getToken();",
    "apiKey: config.apiKey",
    "password=${VAR}",
    "password=$DB_PASSWORD",
    "password: {{ .Values.password }}",
    "secret: ${{ secrets.TOKEN }}",
    "enter <password>",
    "password: <password>",
    "password=***",
    "password=xxxxxxxx",
    "API_KEY=your-api-key-here",
    "password=",
    "password: ''",
    'password=""',
    "password: 'password'",
    "secret: my-secret",
    "connect(user=user, password=pwd)",
    "this.password = password;",
    "if (password === undefined)",
    "max_tokens=4096",
    "tokens: 4096",
    "token.type === 'identifier'",
    "token: 'keyword.control.es6'",
    "--password to set it",
    "`--token <token>`",
    "docker run -v $PWD:/app x",
    "PWD=/home/bob",
    "token: sha256 of body",
    "bypass: true2false",
    "PASS: 12 tests",
    "password=[redacted:password]",
    'type A = "bandpass" | "highpass1";',
  ])("takes %j for talk or code", (text) => {
    expect(findAssignments(text)).toEqual([]);
  });
});

describe("findSecretKindUnderKey", () => {
  it("goes by the end of the key and the look of the value", () => {
    expect(findSecretKindUnderKey("db_password", "swordfish")).toBe("password");
    expect(findSecretKindUnderKey("accessToken", "abc123def456")).toBe("token");
    expect(findSecretKindUnderKey("passwordHint", "swordfish")).toBeUndefined();
    expect(findSecretKindUnderKey("password", "[redacted:password]")).toBeUndefined();
  });
});
