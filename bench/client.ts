import { z } from 'zod';
import { firstMessage, startChild } from './child.ts';
import type { BenchResult } from './result.ts';
import { median, medianRatio } from './statistics.ts';

const Rounds = z.object({ fetch: z.array(z.number()), ofetch: z.array(z.number()), client: z.array(z.number()) });

/** What a page of 50 events (some 160 kB) costs, in CPU time: with fetch and JSON.parse, with ofetch alone, and with the client. */
export async function measure(): Promise<BenchResult> {
  const server = startChild('page-server.ts');
  try {
    const port = z.number().parse(await firstMessage(server));
    const rounds = Rounds.parse(await firstMessage(startChild('client-rounds.ts', `http://127.0.0.1:${port}`)));
    const against = (way: 'fetch' | 'ofetch') => medianRatio(rounds.client, rounds[way]);
    return {
      name: 'client, a page of 50 events',
      figures: [
        { label: 'fetch and JSON.parse', value: median(rounds.fetch), unit: 'ms CPU' },
        { label: 'ofetch', value: median(rounds.ofetch), unit: 'ms CPU' },
        { label: 'client', value: median(rounds.client), unit: 'ms CPU' },
        { label: 'client', value: against('fetch'), unit: 'times', limit: 1.6, against: 'fetch and JSON.parse' },
        { label: 'client', value: against('ofetch'), unit: 'times', limit: 1.3, against: 'ofetch' },
      ],
    };
  } finally {
    server.disconnect();
  }
}
