import { EventEmitter } from "node:events";
import type { Socket } from "node:net";
import { expect, it } from "vitest";
import { openConnections } from "./connections.js";

it("[TR85] drops old strangers, then clients that hang with the token, and no newcomer before them", async () => {
  let at = 0;
  const connections = openConnections(3, () => at);
  const [stranger, hanging, idle, answered, newcomer] = Array.from({ length: 5 }, socketOf);
  for (const socket of [stranger, hanging, idle]) connections.add(socket as Socket);
  connections.startReading(hanging as Socket);
  connections.startAnswering(idle as Socket)();
  at = 5000;

  connections.add(answered as Socket);
  connections.startAnswering(answered as Socket);
  await trimmed();
  const first = destroyedOf(stranger, hanging, idle, answered);
  connections.add(newcomer as Socket);
  await trimmed();

  expect(first).toEqual([true, false, false, false]);
  expect(destroyedOf(hanging, idle, answered, newcomer)).toEqual([true, false, false, false]);
});

it("[TR85] drops the oldest of many newcomers, and keeps no more than it may", async () => {
  const connections = openConnections(10, () => 0);
  const sockets = Array.from({ length: 100 }, socketOf);

  for (const socket of sockets) connections.add(socket);
  await trimmed();

  expect(sockets.map(({ destroyed }) => destroyed)).toEqual(sockets.map((_, index) => index < 90));
});

it("[TR85] drops a client that hangs with the token before a newcomer, however little older it is", async () => {
  const connections = openConnections(2, () => 0);
  const sockets = Array.from({ length: 3 }, socketOf);

  for (const socket of sockets) connections.add(socket);
  for (const socket of sockets.slice(0, 2)) connections.startReading(socket);
  // It came before they began, and has said nothing yet.
  await trimmed();
  connections.add(socketOf());
  const newest = socketOf();
  connections.add(newest);
  await trimmed();

  expect(newest.destroyed).toBe(false);
});

function socketOf(): Socket {
  const socket = new EventEmitter() as Socket;
  return Object.assign(socket, {
    destroyed: false,
    destroy: () => {
      Object.assign(socket, { destroyed: true });
      socket.emit("close");
      return socket;
    },
  });
}

function destroyedOf(...sockets: (Socket | undefined)[]): boolean[] {
  return sockets.map((socket) => socket?.destroyed === true);
}

async function trimmed(): Promise<void> {
  for (let turn = 0; turn < 4; turn++) await new Promise((later) => setImmediate(later));
}
