// Loaded before a peer: whatever it would send, to anywhere but this machine, fails.
import { Socket } from "node:net";

const here = new Set(["localhost", "127.0.0.1", "::1"]);
const connect = Object.getOwnPropertyDescriptor(Socket.prototype, "connect").value;

Socket.prototype.connect = function connectHere(...args) {
  const host = hostOf(...args);
  if (host !== undefined && !here.has(host)) throw new Error(`The benchmark has no network: ${host} was asked for.`);
  return connect.apply(this, args);
};

/** Undefined for a pipe. Node itself calls with its arguments in an array. */
function hostOf(first, second) {
  if (Array.isArray(first)) return hostOf(...first);
  if (typeof first === "object") return typeof first.path === "string" ? undefined : (first.host ?? "localhost");
  if (Number.isNaN(Number(first))) return undefined;
  return typeof second === "string" ? second : "localhost";
}
