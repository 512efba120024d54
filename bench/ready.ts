import { startLocalService } from '../sandbox/notification-service/server.ts';
import { startLocalSlack } from '../sandbox/slack/server.ts';
import { buildBot, MANIFEST_FILE, startBuiltBot } from './built-bot.ts';
import { withTemporaryFolder } from './ground.ts';
import type { BenchResult } from './result.ts';
import { median } from './statistics.ts';

const ROUNDS = 3;

/** From the start of the process until `/readyz` answers 200, asked every 0.2 s: with an empty data folder, and once more with what that left. */
export async function measure(): Promise<BenchResult> {
  await buildBot();
  const slack = await startLocalSlack({ manifestFile: MANIFEST_FILE });
  const service = await startLocalService({ history: { hours: 1 } });
  const first: number[] = [];
  const next: number[] = [];
  try {
    for (let round = 0; round < ROUNDS; round++) {
      await withTemporaryFolder(async (folder) => {
        const secondsToReady = async (): Promise<number> => {
          const begun = performance.now();
          const bot = await startBuiltBot(slack, service.url, folder);
          try {
            await bot.ready();
            return (performance.now() - begun) / 1_000;
          } finally {
            await bot.stop();
          }
        };
        first.push(await secondsToReady());
        next.push(await secondsToReady());
      });
    }
  } finally {
    await Promise.all([slack.close(), service.close()]);
  }
  return {
    name: 'ready',
    figures: [
      { label: 'first start', value: median(first), unit: 's', limit: 10 },
      { label: 'next start', value: median(next), unit: 's', limit: 3 },
    ],
  };
}
