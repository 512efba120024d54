import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { startLocalService } from '../sandbox/notification-service/server.ts';
import { quietService } from './quiet-service.ts';
import type { BenchResult } from './result.ts';

const Rounds = z.object({ fetch: z.array(z.number()), ofetch: z.array(z.number()), client: z.array(z.number()) });

/** What the client of the service costs: in CPU time for a page, in requests for a long list. */
export async function measure(): Promise<BenchResult> {
  const results = [await benchClient(), await benchPaging()];
  return { name: 'The client of the Notification Service', figures: results.flatMap(({ figures }) => figures) };
}

/** What a page of 50 events (some 160 kB) costs, in CPU time: with fetch and JSON.parse, with ofetch alone, and with the client. */
export async function benchClient(): Promise<BenchResult> {
  const server = start('page-server.ts');
  try {
    const port = z.number().parse(await messageOf(server));
    const rounds = Rounds.parse(await messageOf(start('client-rounds.ts', `http://127.0.0.1:${port}`)));
    return {
      name: 'A page of 50 events, 160 kB',
      figures: [
        { label: 'fetch and JSON.parse', value: median(rounds.fetch), unit: 'ms CPU' },
        { label: 'ofetch', value: median(rounds.ofetch), unit: 'ms CPU' },
        { label: 'client', value: median(rounds.client), unit: 'ms CPU' },
        { ...ratio(rounds.client, rounds.fetch), limit: 1.6, against: 'fetch and JSON.parse' },
        { ...ratio(rounds.client, rounds.ofetch), limit: 1.3, against: 'ofetch' },
      ],
    };
  } finally {
    server.disconnect();
  }
}

const EVENTS = 1_234;
const PAGE_SIZE = 50;

/** How many requests it takes to read a list of 1,234 events: one for every 50, give or take one. */
export async function benchPaging(): Promise<BenchResult> {
  const service = await startLocalService();
  try {
    for (let event = 0; event < EVENTS; event++) service.world.plantEvent();
    const client = quietService(service.url, service.apiKey);
    let read = 0;
    for await (const page of client.eventPages({ before: new Date() }, { who: 'poller' })) read += page.items.length;
    return {
      name: `Reading ${EVENTS} events`,
      figures: [
        { label: 'events read', value: read, unit: 'events' },
        {
          label: 'requests',
          value: service.requests.count('listEvents'),
          unit: 'requests',
          limit: Math.ceil(EVENTS / PAGE_SIZE) + 1,
          against: 'one for every 50 events, give or take one',
        },
      ],
    };
  } finally {
    await service.close();
  }
}

/** In a process of its own, whose CPU time is its alone; TypeScript is loaded by tsx as everywhere in development. */
function start(file: string, ...args: readonly string[]): ChildProcess {
  return fork(fileURLToPath(new URL(file, import.meta.url)), args, { execArgv: ['--import', 'tsx'] });
}

/** What a child tells first. Rejects when it ends without a word. */
async function messageOf(child: ChildProcess): Promise<unknown> {
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`A child of the benchmark ended early, with ${code}.`);
  });
  const [message] = await Promise.race([once(child, 'message'), ended]);
  return message;
}

function ratio(costs: readonly number[], against: readonly number[]): { label: string; value: number; unit: string } {
  const ratios = costs.map((cost, round) => cost / (against[round] ?? Number.NaN));
  return { label: 'client', value: median(ratios), unit: 'times' };
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}
