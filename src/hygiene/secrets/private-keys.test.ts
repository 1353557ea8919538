import { describe, expect, it } from "vitest";
import { findPrivateKeys } from "./private-keys.js";

const line = "a1B2".repeat(16);
const begin = (type: string): string => glued(`-----BEGIN ${type}PRIVATE `, "KEY-----");
const end = (type: string): string => glued(`-----END ${type}PRIVATE `, "KEY-----");

describe("findPrivateKeys", () => {
  it.each(["", "RSA ", "EC ", "OPENSSH ", "ENCRYPTED "])("finds a whole %sblock", (type) => {
    const block = `${begin(type)}\n${line}\n${line}\nxyz=\n${end(type)}`;

    expect(take(`key:\n${block}\nthen deploy`)).toEqual([block]);
  });

  it("finds one written with escapes in JSON", () => {
    const block = `${begin("")}\\n${line}\\n${end("")}`;

    expect(take(`{"private_key": "${block}\\n", "x": 1}`)).toEqual([block]);
  });

  it("finds the lines of key after a beginning that has no end, and stops at the prose", () => {
    const block = `${begin("RSA ")}\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,00FF\n\n${line}\n${line}\nab1=`;

    expect(take(`${block}\n\nThen deploy it on Friday`)).toEqual([block]);
  });

  it("finds a key cut short within its first line", () => {
    expect(take(`${begin("")}\nMIIEow`)).toEqual([`${begin("")}\nMIIEow`]);
  });

  it("finds each of several keys", () => {
    const block = `${begin("")}\n${line}\n${end("")}`;

    expect(take(`${block}\n${begin("EC ")}\n${line}\n${block}`)).toHaveLength(3);
  });

  it("finds a key that is encoded once more", () => {
    const encoded = Buffer.from(`${begin("RSA ")}\n${line}`).toString("base64");

    expect(take(`client-key-data: ${encoded}`)).toEqual([encoded]);
  });

  it("finds the lines of a key that is commented out and cut short", () => {
    const block = [begin("EC "), line, line].join("\n// ");

    expect(take(`// ${block}\n// and so on`)).toEqual([block]);
  });

  it("finds the keys of SSH2 and of PuTTY", () => {
    const dashes = "----";
    const ssh2 = `${dashes} BEGIN SSH2 ENCRYPTED PRIVATE KEY ${dashes}\n${line}\n${dashes} END SSH2 ENCRYPTED PRIVATE KEY ${dashes}`;

    expect(take(`${ssh2}\nthen`)).toEqual([ssh2]);
    expect(take(`Private-Lines: 1\n${line}\nPrivate-MAC: 00`)).toEqual([`${line}\n`]);
  });

  it("takes a sentence about the dashes for a sentence", () => {
    expect(take(`It starts with ${begin("")} and ends with ${end("")}.`)).toEqual([]);
    expect(take(`It starts with ${begin("")} and then the rest`)).toEqual([]);
    expect(take("-----BEGIN CERTIFICATE-----\n" + line)).toEqual([]);
  });
});

function take(text: string): string[] {
  return findPrivateKeys(text).map((finding) => text.slice(finding.start, finding.end));
}

/** Puts a fake secret together, so that this file holds nothing that looks like one. */
function glued(...parts: string[]): string {
  return parts.join("");
}
