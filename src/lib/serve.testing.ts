import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { Server } from 'node:net';

/** Listens on this machine only, and returns the port: a free one unless it is given. */
export async function listenOn(server: Server, port = 0): Promise<number> {
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The server listens on no port.');
  return address.port;
}

export async function freePort(): Promise<number> {
  const server = createServer();
  const port = await listenOn(server);
  server.close();
  await once(server, 'close');
  return port;
}

export interface Served {
  url: string;
  close(): void;
}

export async function serve(listener: RequestListener): Promise<Served> {
  const server = createServer(listener);
  return {
    url: `http://127.0.0.1:${await listenOn(server)}`,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
