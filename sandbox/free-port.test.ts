import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { findFreePort } from './free-port.ts';

const servers: Server[] = [];

async function takeAnyPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  servers.push(server);
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

it('findFreePort skips a port that is in use', async () => {
  const taken = await takeAnyPort();
  expect(await findFreePort(taken)).toBeGreaterThan(taken);
});
