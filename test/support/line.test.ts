import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { type Line, layLine } from './line.ts';

it('refuses connections while it is cut, and leads to the server again once it is mended', async () => {
  const server = createServer((_request, response) => response.end('here'));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const line: Line = await layLine(`http://127.0.0.1:${port}`);
  const call = async () => (await fetch(line.url)).text();

  expect(await call()).toBe('here');
  await line.cut();
  await expect(call()).rejects.toMatchObject({ cause: { code: 'ECONNREFUSED' } });
  await line.mend();
  expect(await call()).toBe('here');

  await line.cut();
  server.close();
});
