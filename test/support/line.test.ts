import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { type Line, layLine } from './line.ts';

test('a line refuses connections while it is cut, and reaches the server again after it is restored', async () => {
  const server = createServer((_request, response) => response.end('here'));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const line: Line = await layLine(`http://127.0.0.1:${port}`);
  const call = async () => (await fetch(line.url)).text();

  expect(await call()).toBe('here');
  await line.cut();
  await expect(call()).rejects.toMatchObject({ cause: { code: 'ECONNREFUSED' } });
  await line.restore();
  expect(await call()).toBe('here');

  await line.cut();
  server.close();
});

test('a line passes nothing on while it is silent, and everything that waited afterwards', async () => {
  const heard: string[] = [];
  const server = createServer((request, response) => {
    heard.push(request.url ?? '');
    response.end('here');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const line: Line = await layLine(`http://127.0.0.1:${port}`);
  const call = async (path: string) => (await fetch(`${line.url}${path}`)).text();

  await call('/before');
  const isSilent = line.silenceAfter('/last');
  const answers = [call('/last')];
  await isSilent;
  await expect.poll(() => heard).toEqual(['/before', '/last']);
  answers.push(call('/next'));
  expect(await Promise.race([...answers, wait(50, 'no answer')])).toBe('no answer');
  expect(heard).not.toContain('/next');
  line.resume();
  expect(await Promise.all(answers)).toEqual(['here', 'here']);

  await line.cut();
  server.close();
});
