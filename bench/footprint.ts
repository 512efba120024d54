import { execFile } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { startLocalService } from '../sandbox/notification-service/server.ts';
import { type LocalSlack, startLocalSlack } from '../sandbox/slack/server.ts';
import { startPostgres } from '../test/support/postgres.ts';
import { type BuiltBot, buildBot, IMAGE_VARIABLES, MANIFEST_FILE, startBuiltBot } from './built-bot.ts';
import { pagesRead, withGeneratedService, withTemporaryFolder } from './ground.ts';
import { eventsOfFirstRound } from './poller.ts';
import { sampleOf } from './prometheus.ts';
import type { BenchResult } from './result.ts';

const MINUTE_MS = 60_000;
const IDLE_MS = 10 * MINUTE_MS;
const POLLED_EVENTS = 20_000;
const LONGEST_POLL_MS = 5 * MINUTE_MS;
const PAGE_SIZE = 50;
const LOOK_EVERY_MS = 1_000;
const MB = 2 ** 20;

/**
 * Measures the memory of the built bot as the image runs it, from outside: after ten idle minutes with two environments, on the embedded
 * database and on a server; and during a poll of 20,000 failures. The first two run at once.
 */
export async function measure(): Promise<BenchResult> {
  await buildBot();
  const slack = await startLocalSlack({ manifestFile: MANIFEST_FILE });
  const postgres = await startPostgres();
  try {
    const [embedded, server] = await Promise.all([idle(slack, {}), idle(slack, { DATABASE_URL: postgres.url })]);
    const polling = await whilePolling(slack);
    const against = `${Math.round((await plainNode()) / MB)} MB for a Node process that does nothing`;
    return {
      name: 'footprint, resident',
      figures: [
        { label: 'embedded database, ten minutes idle', value: embedded / MB, unit: 'MB', limit: 250, against },
        { label: `embedded, poll of ${POLLED_EVENTS} failures, most`, value: polling / MB, unit: 'MB', limit: 300 },
        { label: 'DATABASE_URL, ten minutes idle', value: server / MB, unit: 'MB', limit: 150, against },
      ],
    };
  } finally {
    await slack.close();
    await postgres.stop();
  }
}

async function idle(slack: LocalSlack, variables: NodeJS.ProcessEnv): Promise<number> {
  const services = await Promise.all([1, 2].map(() => startLocalService({})));
  const [one = '', two = ''] = services.map(({ url }) => url);
  const second = { NOTIF_ENVIRONMENTS: 'bench,second', NOTIF_SECOND_API_URL: two, NOTIF_SECOND_API_KEY: 'sandbox-key' };
  try {
    return await withBot(slack, one, { ...second, ...variables }, async (bot) => {
      await pause(IDLE_MS);
      return residentOf(bot);
    });
  } finally {
    await Promise.all(services.map((service) => service.close()));
  }
}

/** The first poll covers an hour in which everything failed. */
function whilePolling(slack: LocalSlack): Promise<number> {
  return withGeneratedService(eventsOfFirstRound(POLLED_EVENTS, 1, Date.now()), (url) =>
    withBot(slack, url, {}, async (bot) => {
      const end = performance.now() + LONGEST_POLL_MS;
      let most = 0;
      while ((await pagesRead(url)) < POLLED_EVENTS / PAGE_SIZE) {
        if (performance.now() > end) throw new Error('The poll took too long to be measured.');
        most = Math.max(most, await residentOf(bot));
        await pause(LOOK_EVERY_MS);
      }
      return most;
    }),
  );
}

function withBot<Result>(
  slack: LocalSlack,
  serviceUrl: string,
  variables: NodeJS.ProcessEnv,
  work: (bot: BuiltBot) => Promise<Result>,
): Promise<Result> {
  return withTemporaryFolder(async (folder) => {
    const settings = { ...IMAGE_VARIABLES, NOTIF_POLL_SECONDS: '60', ...variables };
    const bot = await startBuiltBot(slack, serviceUrl, folder, settings);
    try {
      await bot.ready();
      return await work(bot);
    } finally {
      await bot.stop();
    }
  });
}

async function plainNode(): Promise<number> {
  const { stdout } = await promisify(execFile)(process.execPath, ['-p', 'process.memoryUsage.rss()']);
  return Number(stdout);
}

async function residentOf(bot: BuiltBot): Promise<number> {
  return sampleOf(await bot.metrics(), 'process_resident_memory_bytes');
}
