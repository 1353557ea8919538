import { homedir, userInfo } from "node:os";
import { expect, it } from "vitest";
import { listConnections } from "../../src/install/list-connections.js";
import { openPlace } from "../../src/install/place.js";

it("no test sees the agents, or changes the folder, of the user who runs it", () => {
  expect(homedir()).not.toBe(userInfo().homedir);
  expect(openPlace().home).toBe(homedir());
  expect(listConnections(openPlace()).filter(({ isConnected }) => isConnected)).toEqual([]);
});
