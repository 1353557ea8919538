import { homedir, userInfo } from "node:os";
import { expect, it } from "vitest";
import { listConnections } from "../../src/install/list-connections.js";
import { openMachine } from "../../src/install/agents/machine.js";

it("no test sees the agents, or changes the folder, of the user who runs it", () => {
  expect(homedir()).not.toBe(userInfo().homedir);
  expect(openMachine().home).toBe(homedir());
  expect(listConnections(openMachine()).filter(({ isConnected }) => isConnected)).toEqual([]);
});
