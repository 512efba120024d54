import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { listenOn } from '../../src/lib/serve.testing.ts';

/**
 * A proxy to a server that can be cut and restored. While it is cut, connections are refused, as if nothing were running there. While it is
 * silent, connections stay open, new ones are accepted, and nothing gets through in either direction.
 */
export interface Line {
  /** Replaces the server's own address. Its port stays the same. */
  url: string;
  cut(): Promise<void>;
  restore(): Promise<void>;
  /**
   * Makes the line silent once a client has sent these words, so that the server gets them and the client gets no answer. Resolves when it
   * is silent.
   */
  silenceAfter(words: string): Promise<void>;
  resume(): void;
}

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
  const nearPort = await listenOn(server);
  return {
    url: `http://127.0.0.1:${nearPort}`,
    cut: async () => {
      if (!server.listening) return;
      const closed = once(server, 'close');
      server.close();
      for (const socket of sockets.keys()) socket.destroy();
      await closed;
    },
    restore: async () => {
      if (!server.listening) await listenOn(server, nearPort);
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
    // The socket closes next, which is handled above.
    socket.on('error', () => {});
    socket.pipe(other);
  }
}
