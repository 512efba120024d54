import { FIRST_COVERAGE_MS } from '../src/coverage/gap.ts';
import { quietService, START } from './poller.ts';
import { cpuTimed } from './statistics.ts';

const PAGES_A_TURN = 40;
const PAGE_SIZE = 50;

/** The arguments are the way to read and the server's address. Each message is answered with a page's CPU time in milliseconds. */
const [, , way = '', url = ''] = process.argv;
const read = readerFor(way);
process.on('message', async () => {
  const cpuMs = await cpuTimed(async () => {
    for (let page = 0; page < PAGES_A_TURN; page++) await read();
  });
  process.send?.(cpuMs / PAGES_A_TURN);
});

function readerFor(name: string): () => Promise<unknown> {
  const [after, before] = [new Date(START - FIRST_COVERAGE_MS), new Date(START)];
  const address = `${url}/v1/notifications?limit=${PAGE_SIZE}&page=0&after=${after.toISOString()}&before=${before.toISOString()}`;
  switch (name) {
    case 'fetch':
      return async () => JSON.parse(await (await fetch(address)).text());
    case 'client': {
      const service = quietService(url);
      return async () => await service.listEvents({ limit: PAGE_SIZE, page: 0, after, before }, { who: 'poller' });
    }
    default:
      throw new Error(`There is no way ${name} to read a page.`);
  }
}
