import { z } from 'zod';
import { nextMessage, startChild } from './child.ts';
import { withGeneratedService } from './ground.ts';
import { generationFor } from './poller.ts';
import type { BenchResult } from './result.ts';
import { median } from './statistics.ts';

/** A process settles up to a fifth apart from the next one with the same work. */
const PROCESSES = 5;
const ROUNDS = 8;
const WARM_UP_ROUNDS = 4;
/** So many times the CPU time of fetch and JSON.parse, the client may take at most. */
const MOST_TIMES = 3;

interface PageCosts {
  viaFetch: number;
  viaClient: number;
}

/**
 * Measures the CPU time of a page of 50 events (some 160 kB): with fetch and JSON.parse, and with the client. They take turns, so that the
 * machine's load affects both alike, each in its own process, so that each collects its own garbage.
 */
export async function measure(): Promise<BenchResult> {
  return withGeneratedService(generationFor(10_000, 100), async (url) => {
    const pairs: PageCosts[] = [];
    while (pairs.length < PROCESSES) pairs.push(await measurePair(url));
    return result(pairs);
  });
}

async function measurePair(url: string): Promise<PageCosts> {
  const byFetch = startChild('page-reader.ts', 'fetch', url);
  const byClient = startChild('page-reader.ts', 'client', url);
  try {
    const rounds: PageCosts[] = [];
    for (let round = 0; round < WARM_UP_ROUNDS + ROUNDS; round++)
      rounds.push({ viaFetch: await turnOf(byFetch), viaClient: await turnOf(byClient) });
    const measured = rounds.slice(WARM_UP_ROUNDS);
    return {
      viaFetch: median(measured.map(({ viaFetch }) => viaFetch)),
      viaClient: median(measured.map(({ viaClient }) => viaClient)),
    };
  } finally {
    byFetch.disconnect();
    byClient.disconnect();
  }
}

async function turnOf(reader: ReturnType<typeof startChild>): Promise<number> {
  reader.send('your turn');
  return z.number().parse(await nextMessage(reader));
}

function result(pairs: readonly PageCosts[]): BenchResult {
  const viaFetch = median(pairs.map((pair) => pair.viaFetch));
  const viaClient = median(pairs.map((pair) => pair.viaClient));
  const ratio = median(pairs.map((pair) => pair.viaClient / pair.viaFetch));
  return {
    name: 'client, a page of 50 events',
    figures: [
      { label: 'fetch and JSON.parse', value: viaFetch, unit: 'ms CPU' },
      { label: 'client', value: viaClient, unit: 'ms CPU' },
      { label: 'client against fetch and JSON.parse', value: ratio, unit: 'times', limit: MOST_TIMES },
    ],
  };
}
