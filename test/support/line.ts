import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';

/**
 * The way to a server, which can be cut and fixed: while it is cut, connecting is refused, as it is when nothing runs there. While it is
 * silent, connections stay open, new ones are accepted, and nothing gets through in either direction.
 */
export interface Line {
  /** Stands for the server's own address, at a port that stays the same. */
  readonly url: string;
  cut(): Promise<void>;
  restore(): Promise<void>;
  /** Makes it silent once a client has sent these words, so that the server gets them and the client no answer. Resolves when it is. */
  silenceAfter(words: string): Promise<void>;
  /** Lets through what waits, and what comes. */
  resume(): void;
}

/** Lays a line to the server at `url`. */
export async function layLine(url: string): Promise<Line> {
  const { hostname, port } = new URL(url);
  const sockets = new Map<Socket, Socket>();
  let isSilent = false;
  let onSent: (piece: Buffer) => void = () => {};
  const server = createServer((near) => {
    pair(near, connect(Number(port), hostname), sockets);
    near.on('data', (piece) => onSent(piece));
    if (isSilent) unlink(sockets);
  });
  const own = await listenOn(server, 0);
  return {
    url: `http://127.0.0.1:${own}`,
    cut: async () => {
      if (!server.listening) return;
      const closed = once(server, 'close');
      server.close();
      for (const socket of sockets.keys()) socket.destroy();
      await closed;
    },
    restore: async () => {
      if (!server.listening) await listenOn(server, own);
    },
    silenceAfter: (words) =>
      new Promise((resolve) => {
        onSent = (piece) => {
          if (isSilent || !piece.includes(words)) return;
          isSilent = true;
          unlink(sockets);
          resolve();
        };
      }),
    resume: () => {
      onSent = () => {};
      if (!isSilent) return;
      isSilent = false;
      for (const [socket, other] of sockets) socket.pipe(other);
    },
  };
}

function unlink(sockets: ReadonlyMap<Socket, Socket>): void {
  for (const [socket, other] of sockets) socket.unpipe(other).pause();
}

/** What one end says the other hears, and they end together. */
function pair(near: Socket, far: Socket, sockets: Map<Socket, Socket>): void {
  for (const [socket, other] of [
    [near, far],
    [far, near],
  ] as const) {
    sockets.set(socket, other);
    socket.on('close', () => {
      sockets.delete(socket);
      other.destroy();
    });
    // A broken connection is closed next, and that is all there is to know of it.
    socket.on('error', () => {});
    socket.pipe(other);
  }
}

async function listenOn(server: Server, port: number): Promise<number> {
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('the line is laid nowhere');
  return address.port;
}
