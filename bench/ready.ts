import { startLocalService } from '../sandbox/service/server.ts';
import { type LocalSlack, startLocalSlack } from '../sandbox/slack/server.ts';
import { buildBot, MANIFEST_FILE, startBuiltBot } from './built-bot.ts';
import { withTemporaryFolder } from './ground.ts';
import { sampleOf } from './prometheus.ts';
import type { BenchResult, Figure } from './result.ts';
import { median } from './statistics.ts';

const ROUNDS = 3;
/** Limits in seconds: with an empty data folder, which the first start fills, and with that data. */
const MOST_AT_FIRST = 3;
const MOST_NEXT = 1.5;

/** Times until `/readyz` returns 200, requested every 0.05 s. */
interface Start {
  seconds: number;
  cpuSeconds: number;
}

/** Measures how soon the bot is ready: with an empty data folder, and again with the data from that run. */
export async function measure(): Promise<BenchResult> {
  await buildBot();
  const slack = await startLocalSlack({ manifestFile: MANIFEST_FILE });
  const service = await startLocalService({ history: 1 });
  const first: Start[] = [];
  const next: Start[] = [];
  try {
    while (next.length < ROUNDS) {
      await withTemporaryFolder(async (folder) => {
        first.push(await startIn(folder, slack, service.url));
        next.push(await startIn(folder, slack, service.url));
      });
    }
  } finally {
    await Promise.all([slack.close(), service.close()]);
  }
  return {
    name: 'ready',
    figures: [...figuresOf('first start', first, MOST_AT_FIRST), ...figuresOf('next start', next, MOST_NEXT)],
  };
}

function figuresOf(label: string, starts: readonly Start[], limit: number): Figure[] {
  return [
    { label, value: median(starts.map(({ seconds }) => seconds)), unit: 's', limit },
    { label, value: median(starts.map(({ cpuSeconds }) => cpuSeconds)), unit: 's CPU' },
  ];
}

async function startIn(folder: string, slack: LocalSlack, serviceUrl: string): Promise<Start> {
  const begun = performance.now();
  const bot = await startBuiltBot(slack, serviceUrl, folder);
  try {
    await bot.ready();
    const seconds = (performance.now() - begun) / 1_000;
    return { seconds, cpuSeconds: sampleOf(await bot.metrics(), 'process_cpu_seconds_total') };
  } finally {
    await bot.stop();
  }
}
