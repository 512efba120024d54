import { setTimeout as wait } from 'node:timers/promises';
import { startLocalService } from '../sandbox/notification-service/server.ts';
import { startLocalSlack } from '../sandbox/slack/server.ts';
import { type BuiltBot, buildBot, MANIFEST_FILE, startBuiltBot } from './built-bot.ts';
import { withTemporaryFolder } from './ground.ts';
import { sampleOf } from './prometheus.ts';
import type { BenchResult } from './result.ts';

const MINUTE_MS = 60_000;
/** By then the bot has checked its first hour, and one-time work at the start is done. */
const WARM_UP_MS = 2 * MINUTE_MS;
const IDLE_MS = 10 * MINUTE_MS;
const MB = 2 ** 20;

/** Measures the bot's cost while nothing happens: two environments without events, the embedded database, one poll per minute. */
export async function measure(): Promise<BenchResult> {
  await buildBot();
  const slack = await startLocalSlack({ manifestFile: MANIFEST_FILE });
  const services = await Promise.all([1, 2].map(() => startLocalService({})));
  try {
    return await withTemporaryFolder(async (folder) => {
      const [one, two] = services.map(({ url }) => url);
      const environments = {
        NOTIF_ENVIRONMENTS: 'bench,second',
        NOTIF_BENCH_API_URL: one,
        NOTIF_SECOND_API_URL: two,
        NOTIF_SECOND_API_KEY: 'sandbox-key',
        NOTIF_POLL_SECONDS: '60',
      };
      const bot = await startBuiltBot(slack, services[0]?.url ?? '', folder, environments);
      try {
        await bot.ready();
        return resultOf(await idle(bot));
      } finally {
        await bot.stop();
      }
    });
  } finally {
    await Promise.all([slack.close(), ...services.map((service) => service.close())]);
  }
}

interface Idle {
  readonly cpuSeconds: number;
  readonly seconds: number;
  readonly residentBytes: number;
}

async function idle(bot: BuiltBot): Promise<Idle> {
  await wait(WARM_UP_MS);
  const cpuSeconds = async () => sampleOf(await bot.metrics(), 'process_cpu_seconds_total');
  const [before, begun] = [await cpuSeconds(), performance.now()];
  await wait(IDLE_MS);
  const metrics = await bot.metrics();
  return {
    cpuSeconds: sampleOf(metrics, 'process_cpu_seconds_total') - before,
    seconds: (performance.now() - begun) / 1_000,
    residentBytes: sampleOf(metrics, 'process_resident_memory_bytes'),
  };
}

function resultOf({ cpuSeconds, seconds, residentBytes }: Idle): BenchResult {
  return {
    name: `idle for ${Math.round(seconds / 60)} minutes, two environments`,
    figures: [
      { label: 'of one core', value: (cpuSeconds / seconds) * 100, unit: '%', limit: 1 },
      { label: 'resident', value: residentBytes / MB, unit: 'MB' },
    ],
  };
}
