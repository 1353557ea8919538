import { describe, expect, it } from "vitest";
import { findUnknownTokens, mayHoldUnknownToken } from "./unknown-tokens.js";

const mixed = "a1B2cD3e".repeat(5);
const hex = "0a1b2c3d".repeat(5);

describe("findUnknownTokens", () => {
  it.each([`acme_live_${mixed}`, `qx-api-${mixed}`, `ZORK_${mixed}`, `bolt_sk_${hex}`])("finds %s", (token) => {
    const text = `We saw ${token} in the log.`;

    expect(findUnknownTokens(text).map(({ start, end }) => text.slice(start, end))).toEqual([token]);
    expect(mayHoldUnknownToken(text)).toBe(true);
  });

  it.each([
    `sha512-${mixed}`,
    `commit-${hex}`,
    `app-${hex}.js`,
    `https://host.net/files/report_${mixed}`,
    "ses_0a1b2c3d4e5fkP3qRs7TuV9wXy",
    "node-fetch-native-with-agent-and-proxies",
    "UNEXPECTED_TOKEN_AFTER_EXPRESSION_STATEMENT",
    "test_thisIsAVeryLongCamelCaseNameOfATest",
  ])("takes %s for the name of something", (text) => {
    expect(findUnknownTokens(text)).toEqual([]);
  });
});
