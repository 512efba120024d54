import { setTimeout as pause } from 'node:timers/promises';
import { type LocalService, startLocalService } from '../sandbox/notification-service/server.ts';
import { type LocalSlack, startLocalSlack } from '../sandbox/slack/server.ts';
import { startPostgres } from '../test/support/postgres.ts';
import { type BuiltBot, buildBot, MANIFEST_FILE, startBuiltBot } from './built-bot.ts';
import { withTemporaryFolder } from './ground.ts';
import type { BenchResult } from './result.ts';
import { maximum } from './statistics.ts';

const POLL_SECONDS = 10;
const ROUNDS = 3;
/** The interval at which slots are checked. */
const TICK_SECONDS = 1;

type Way = 'stop' | 'kill';

/** Measures how soon one of two replicas on a server polls after the other was stopped or killed. */
export async function measure(): Promise<BenchResult> {
  await buildBot();
  const postgres = await startPostgres();
  const slack = await startLocalSlack({ manifestFile: MANIFEST_FILE });
  const service = await startLocalService();
  const ground = { slack, service, databaseUrl: postgres.url };
  try {
    const stopped = await handOvers('stop', ground);
    const killed = await handOvers('kill', ground);
    return {
      name: `hand-over, a poll every ${POLL_SECONDS} s`,
      figures: [
        { label: 'after a stop, longest', value: maximum(stopped), unit: 's', limit: POLL_SECONDS + TICK_SECONDS },
        { label: 'after a kill, longest', value: maximum(killed), unit: 's', limit: 3 * POLL_SECONDS },
      ],
    };
  } finally {
    await Promise.all([slack.close(), service.close()]);
    await postgres.stop();
  }
}

interface Ground {
  readonly slack: LocalSlack;
  readonly service: LocalService;
  readonly databaseUrl: string;
}

async function handOvers(way: Way, ground: Ground): Promise<number[]> {
  const seconds: number[] = [];
  while (seconds.length < ROUNDS) seconds.push(await withTemporaryFolder((folder) => handOver(way, folder, ground)));
  return seconds;
}

/** Returns the seconds from the end of one replica to the first request of the other. */
async function handOver(way: Way, folder: string, { slack, service, databaseUrl }: Ground): Promise<number> {
  const start = (name: string) =>
    startBuiltBot(slack, service.url, `${folder}/${name}`, {
      DATABASE_URL: databaseUrl,
      NOTIF_POLL_SECONDS: String(POLL_SECONDS),
    });
  const bots: BuiltBot[] = [];
  try {
    for (const name of ['one', 'other']) {
      const bot = await start(name);
      bots.push(bot);
      await bot.ready();
    }
    await nextPoll(service);
    // Slows down one poll, so that in one of two cases the replica that ends is in the middle of it.
    service.faults.set('listEvents', { kind: 'slow', ms: 1_000 }, { times: 1 });
    await nextPoll(service);
    await bots.shift()?.[way]();
    const begun = performance.now();
    await nextPoll(service);
    return (performance.now() - begun) / 1_000;
  } finally {
    await Promise.all(bots.map((bot) => bot.stop()));
  }
}

async function nextPoll(service: LocalService): Promise<void> {
  const before = service.requests.count('listEvents');
  while (service.requests.count('listEvents') === before) await pause(20);
}
