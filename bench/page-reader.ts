import { cpuTimed } from './cpu-time.ts';
import { START } from './poller.ts';
import { quietService } from './quiet-service.ts';

const PAGES_A_TURN = 40;

/**
 * Reads the same page in one of two ways. Arguments: the way and the server's address. For each message from its parent it sends the CPU
 * time of a page, in milliseconds.
 */
const [, , way = '', url = ''] = process.argv;
const read = readerFor(way);
process.on('message', async () => {
  const { cpuMs } = await cpuTimed(async () => {
    for (let page = 0; page < PAGES_A_TURN; page++) await read();
  });
  process.send?.(cpuMs / PAGES_A_TURN);
});

function readerFor(name: string): () => Promise<unknown> {
  const [after, before] = [new Date(START - 3_600_000), new Date(START)];
  const address = `${url}/v1/notifications?limit=50&page=0&after=${after.toISOString()}&before=${before.toISOString()}`;
  switch (name) {
    case 'fetch':
      return async () => JSON.parse(await (await fetch(address)).text());
    case 'client': {
      const service = quietService(url, 'bench-key');
      return async () => await service.listEvents({ limit: 50, page: 0, after, before }, { who: 'poller' });
    }
    default:
      throw new Error(`There is no way ${name} to read a page.`);
  }
}
