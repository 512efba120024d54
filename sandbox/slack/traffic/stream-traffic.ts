import type { ServerResponse } from 'node:http';
import type { Traffic } from './traffic.ts';
import type { TrafficLine } from './traffic-protocol.ts';

const AT_MOST_EVERY_MS = 100;

/** Sends every line, then new and changed ones, at most once every 100 ms, until the browser disconnects. */
export function streamTraffic(response: ServerResponse, traffic: Traffic): void {
  const changed = new Map<number, TrafficLine>();
  let waiting: NodeJS.Timeout | undefined;
  const send = (lines: readonly TrafficLine[]) => response.write(`event: traffic\ndata: ${JSON.stringify(lines)}\n\n`);
  const flush = () => {
    waiting = undefined;
    send([...changed.values()]);
    changed.clear();
  };
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
  send(traffic.lines());
  const unsubscribe = traffic.subscribe((line) => {
    changed.set(line.id, line);
    waiting ??= setTimeout(flush, AT_MOST_EVERY_MS);
  });
  response.on('close', () => {
    unsubscribe();
    clearTimeout(waiting);
  });
}
