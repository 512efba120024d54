import { ofetch } from 'ofetch';
import { cpuTimed } from './cpu-time.ts';
import { quietService } from './quiet-service.ts';

/** CPU time for a page, in milliseconds, a figure a round. */
export interface Rounds {
  readonly fetch: readonly number[];
  readonly ofetch: readonly number[];
  readonly client: readonly number[];
}

/** Each round measures all three, each time another one first: what else the machine does, and another's garbage, meets all alike. */
const ROUNDS = 60;
const PAGES_A_ROUND = 25;
const WARM_UP_ROUNDS = 5;

/** Reads the same page in three ways, in a process of its own: as its argument it takes the server's address, and tells its parent. */
const url = String(process.argv[2]);
const service = quietService(url, 'bench-key');
const address = `${url}/v1/notifications?limit=50`;
const ways = {
  fetch: async (): Promise<unknown> => JSON.parse(await (await fetch(address)).text()),
  ofetch: async (): Promise<unknown> => await ofetch(address),
  client: async (): Promise<unknown> => await service.listEvents({ limit: 50 }, { who: 'poller' }),
};

async function cpuPerPage(read: () => Promise<unknown>): Promise<number> {
  const { cpuMs } = await cpuTimed(async () => {
    for (let page = 0; page < PAGES_A_ROUND; page++) await read();
  });
  return cpuMs / PAGES_A_ROUND;
}

const names = ['fetch', 'ofetch', 'client'] as const;
const rounds = { fetch: [] as number[], ofetch: [] as number[], client: [] as number[] } satisfies Rounds;
for (let round = -WARM_UP_ROUNDS; round < ROUNDS; round++) {
  for (let turn = 0; turn < names.length; turn++) {
    const name = names[(turn + round + WARM_UP_ROUNDS) % names.length] ?? 'fetch';
    const cost = await cpuPerPage(ways[name]);
    if (round >= 0) rounds[name].push(cost);
  }
}
process.send?.(rounds);
process.disconnect();
