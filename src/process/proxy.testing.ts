import { createServer } from 'node:http';
import { connect } from 'node:net';
import { listenOn } from '../lib/serve.testing.ts';

export interface LocalProxy {
  host: string;
  /** What it was asked to connect to, in alphabetical order. */
  passed(): string[];
  close(): void;
}

/** An outgoing proxy that connects everyone to one port of this machine, but answers 407 for what `refused` names ('service.test:80'). */
export async function startProxy(port: number, refused: ReadonlySet<string>): Promise<LocalProxy> {
  const passed = new Set<string>();
  const proxy = createServer().on('connect', ({ url }, near) => {
    passed.add(String(url));
    const status = refused.has(String(url)) ? 407 : 200;
    const far = connect(port, '127.0.0.1', () => near.write(`HTTP/1.1 ${status} Answered\r\n\r\n`));
    near.pipe(far).pipe(near);
    for (const socket of [near, far]) socket.on('error', () => {});
  });
  const host = `127.0.0.1:${await listenOn(proxy)}`;
  return { host, passed: () => [...passed].sort(), close: () => proxy.close() };
}
