import type { Server } from 'node:http';
import { WebSocketServer } from 'ws';
import type { SocketMode } from '../socket-mode.ts';
import { urlOf } from './exchange.ts';

/** Listens on this machine only and returns the origin, 'http://127.0.0.1:<port>'. Port 0 takes a free one. */
export function listen(server: Server, port: number): Promise<string> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => {
      const address = server.address();
      if (address === null || typeof address === 'string') return reject(new Error('the server has no port'));
      resolve(`http://127.0.0.1:${address.port}`);
    });
  });
}

/** Accepts WebSocket connections that have a ticket. */
export function acceptSockets(server: Server, sockets: SocketMode): void {
  const upgrades = new WebSocketServer({ noServer: true });
  server.on('upgrade', (request, socket, head) => {
    const { pathname, searchParams } = urlOf(request);
    const isAdmitted = pathname === '/link/' && sockets.redeemTicket(searchParams.get('ticket') ?? '');
    if (!isAdmitted) socket.end('HTTP/1.1 403 Forbidden\r\n\r\n');
    else upgrades.handleUpgrade(request, socket, head, (connection) => sockets.accept(connection));
  });
}

/** Ends open connections and stops listening. */
export async function stopListening(server: Server, sockets: SocketMode): Promise<void> {
  await sockets.close();
  server.closeAllConnections();
  await new Promise<void>((resolve, reject) => {
    server.close((error) => (error === undefined ? resolve() : reject(error)));
  });
}
