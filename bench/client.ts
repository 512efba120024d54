import { z } from 'zod';
import { nextMessage, startChild } from './child.ts';
import { withGeneratedService } from './ground.ts';
import { generationFor } from './poller.ts';
import type { BenchResult } from './result.ts';
import { median, medianRatio } from './statistics.ts';

const ROUNDS = 24;
const WARM_UP_ROUNDS = 4;

/**
 * Measures the CPU time of a page of 50 events (some 160 kB): with fetch and JSON.parse, and with the client. They take turns, so that the
 * machine's load affects both alike, each in its own process, so that each collects its own garbage.
 */
export async function measure(): Promise<BenchResult> {
  return withGeneratedService(generationFor(10_000, 100), async (url) => {
    const readers = ['fetch', 'client'].map((way) => startChild('page-reader.ts', way, url));
    try {
      const rounds: number[][] = [];
      for (let round = 0; round < WARM_UP_ROUNDS + ROUNDS; round++) rounds.push(await turns(readers));
      return result(rounds.slice(WARM_UP_ROUNDS));
    } finally {
      for (const reader of readers) reader.disconnect();
    }
  });
}

async function turns(readers: readonly ReturnType<typeof startChild>[]): Promise<number[]> {
  const costs: number[] = [];
  for (const reader of readers) {
    reader.send('your turn');
    costs.push(z.number().parse(await nextMessage(reader)));
  }
  return costs;
}

function result(rounds: readonly (readonly number[])[]): BenchResult {
  const [viaFetch = [], viaClient = []] = [0, 1].map((way) => rounds.map((costs) => costs[way] ?? Number.NaN));
  return {
    name: 'client, a page of 50 events',
    figures: [
      { label: 'fetch and JSON.parse', value: median(viaFetch), unit: 'ms CPU' },
      { label: 'client', value: median(viaClient), unit: 'ms CPU' },
      {
        label: 'client against fetch and JSON.parse',
        value: medianRatio(viaClient, viaFetch),
        unit: 'times',
        limit: 7,
      },
    ],
  };
}
