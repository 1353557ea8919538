import { expect, it } from "vitest";
import { folderOfRoot } from "./follow-roots.js";

it.each([
  ["file:///home/ada/shop", "/home/ada/shop"],
  ["file:///home/ada/shop/", "/home/ada/shop"],
  ["file:///home/ada/my%20shop", "/home/ada/my shop"],
  ["file://localhost/home/ada", "/home/ada"],
  ["file://evil.example/share", undefined],
  ["file:////evil.example/share", undefined],
  ["file:///home/ada%2f..%2fbob", undefined],
  ["file:///home/%00", undefined],
  ["vscode-vfs://github/ada/shop", undefined],
  ["/home/ada/shop", undefined],
])("reads the folder of %s", (uri, folder) => {
  expect(folderOfRoot({ uri }, { windows: false })).toBe(folder);
});

it.each([
  ["file:///c%3A/Users/ada/shop", "c:\\Users\\ada\\shop"],
  ["file:///C:/Users/ada/shop/", "C:\\Users\\ada\\shop"],
  ["file:///c:/Users/ada/m%C3%BCsli", "c:\\Users\\ada\\müsli"],
  ["file://server/share/shop", undefined],
  ["file:////server/share/shop", undefined],
  ["file://///server/share/shop", undefined],
  ["file:///%5C%5Cserver%5Cshare", undefined],
  ["file:///home/ada/shop", undefined],
])("reads the folder of %s on Windows, and none that is on another machine", (uri, folder) => {
  expect(folderOfRoot({ uri }, { windows: true })).toBe(folder);
});

it("takes nothing for a folder that is no root", () => {
  expect([undefined, null, {}, { uri: 7 }, "file:///home"].map((root) => folderOfRoot(root))).toEqual(
    Array.from({ length: 5 }),
  );
});
