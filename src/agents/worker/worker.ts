/**
 * worker: an agent that runs in a worker thread, and its memory in the main thread. `serveWorkers` answers there, and brings
 * together what several workers of one session saw; `connectMemory` is the worker's end.
 *
 * It carries messages. It refuses to let a worker speak for another session or agent, and to keep a worker waiting or alive.
 */
export { connectMemory, type ConnectOptions, type WorkerMemory } from "./connect-memory.js";
export type {
  CarriedKind,
  MemoryConnect,
  MemoryReply,
  MemoryRequest,
  MessagePortLike,
  WorkerEvent,
  WorkerMoment,
} from "./memory-messages.js";
export { serveWorkers, type FinishGroupOptions, type ServeOptions, type WorkerGroup } from "./serve-workers.js";
export type { ServedMemory } from "./served-memory.js";
