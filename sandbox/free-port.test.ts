import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { networkInterfaces } from 'node:os';
import { afterEach, expect, test } from 'vitest';
import { findFreePort } from './free-port.ts';

const servers: Server[] = [];

async function takeAnyPort(host = '127.0.0.1'): Promise<number> {
  const server = createServer().listen(0, host);
  servers.push(server);
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

/** An address of this machine that isn't 127.0.0.1. */
const other = Object.values(networkInterfaces())
  .flatMap((addresses) => addresses ?? [])
  .find(({ address, scopeid }) => address !== '127.0.0.1' && (scopeid ?? 0) === 0);

test.skipIf(other === undefined)(
  'findFreePort skips a port that is in use at one other interface, if every one is needed',
  async () => {
    const taken = await takeAnyPort(other?.address);
    expect(await findFreePort(taken, 'every interface')).toBeGreaterThan(taken);
  },
);

test('findFreePort skips a port that is in use', async () => {
  const taken = await takeAnyPort();
  expect(await findFreePort(taken)).toBeGreaterThan(taken);
});
