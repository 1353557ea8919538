import type { Stats } from "node:fs";
import { describe, expect, it } from "vitest";
import { type FolderSystem, refuseUnsafeFolder } from "./refuse-unsafe-folder.js";

describe("a folder for Tacit", () => {
  it("[TR87] is refused to whoever it does not belong to, and so is a link of somebody else", () => {
    expect(() => refuseUnsafeFolder("/home", system({ "/home": folder(2) }))).toThrow("belongs to another user");
    expect(() => refuseUnsafeFolder("/home", system({ "/home": link(2), "/real": folder(1) }))).toThrow(
      "belongs to another user",
    );
    expect(() => refuseUnsafeFolder("/home", system({ "/home": link(1), "/real": folder(2) }))).toThrow(
      "/real belongs to another user",
    );
  });

  it("[TR87] may be anybody's where root asks, as in a container, unless everybody can write there", () => {
    expect(() => refuseUnsafeFolder("/home", system({ "/home": folder(1000) }, 0))).not.toThrow();
    expect(() => refuseUnsafeFolder("/home", system({ "/home": folder(1000, 0o777) }, 0))).toThrow("can write");
  });

  it("[TR87] is not looked at on Windows, and where there is none", () => {
    expect(() => refuseUnsafeFolder("/home", { ...system({ "/home": folder(2) }), platform: "win32" })).not.toThrow();
    expect(() => refuseUnsafeFolder("/home", system({}))).not.toThrow();
  });
});

function system(found: Record<string, Stats>, uid = 1): FolderSystem {
  return { platform: "linux", uid, look: (path) => found[path], follow: () => "/real" };
}

function folder(uid: number, mode = 0o700): Stats {
  return { uid, mode, isSymbolicLink: () => false, isDirectory: () => true } as Stats;
}

function link(uid: number): Stats {
  return { uid, mode: 0o777, isSymbolicLink: () => true, isDirectory: () => false } as Stats;
}
