import type { Socket } from "node:net";

/** The connections of a server, of which it holds so many and no more. */
export interface Connections {
  /** Counts a connection from now until it closes. It is a stranger until a request on it shows the token. */
  add: (socket: Socket) => void;
  /** A request on it has shown the token, and its body is still to come. */
  startReading: (socket: Socket) => void;
  /** A whole request on it is being answered, until the returned function is called. */
  startAnswering: (socket: Socket) => () => void;
}

interface Connection {
  /** Whether a request on it has ever shown the token. */
  isKnown: boolean;
  isReading: boolean;
  answering: number;
  /** When it came, or last began a request. */
  since: number;
}

// What an honest client has said by then, on a machine with a hundred times as much to do.
const graceMs = 1000;

/**
 * Makes room for newcomers instead of turning them away: whoever opens connections and says nothing on them would otherwise
 * shut out the owner, whose token shows only once a request can be read. The oldest stranger goes first, then a known client
 * that has sent half a request, then newer ones of both, then one that is idle. One that is being answered goes last.
 */
export function openConnections(most: number, now: () => number = () => performance.now()): Connections {
  // In the order in which they came or last began a request.
  const connections = new Map<Socket, Connection>();
  let isTrimming = false;

  const trim = (): void => {
    isTrimming = false;
    const at = now();
    const weakest = [...connections].toSorted(([, a], [, b]) => standing(a, at) - standing(b, at));
    for (const [socket] of weakest.slice(0, Math.max(0, connections.size - most))) {
      connections.delete(socket);
      socket.destroy();
    }
  };
  // Many connections are accepted in one turn of the event loop, and what came with them is read in the next. To choose
  // before that would drop an owner who arrives amid a flood.
  const trimSoon = (): void => {
    if (isTrimming) return;
    isTrimming = true;
    setImmediate(() => setImmediate(trim));
  };
  const renew = (socket: Socket): Connection => {
    const connection = connections.get(socket) ?? newcomer(now());
    if (connections.delete(socket)) connections.set(socket, connection);
    connection.since = now();
    return connection;
  };

  return {
    add(socket) {
      connections.set(socket, newcomer(now()));
      socket.once("close", () => connections.delete(socket));
      if (connections.size > most) trimSoon();
    },
    startReading(socket) {
      Object.assign(renew(socket), { isKnown: true, isReading: true });
    },
    startAnswering(socket) {
      const connection = renew(socket);
      connection.isKnown = true;
      connection.isReading = false;
      connection.answering++;
      return () => void connection.answering--;
    },
  };
}

function newcomer(since: number): Connection {
  return { isKnown: false, isReading: false, answering: 0, since };
}

function standing({ isKnown, isReading, answering, since }: Connection, at: number): number {
  if (answering > 0) return 4;
  if (isKnown && !isReading) return 3;
  // Of those that came just now nobody can tell who will show the token, so the oldest goes, whatever it has said.
  if (at - since < graceMs) return 2;
  return isKnown ? 1 : 0;
}
