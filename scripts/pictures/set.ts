import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { botEnvironment } from '../../sandbox/bot.ts';
import { buildPage } from '../../sandbox/build-page.ts';
import { Director, directorRoutes } from '../../sandbox/director/director.ts';
import { SCENARIOS } from '../../sandbox/director/scenarios.ts';
import { type LocalService, startLocalService } from '../../sandbox/service/server.ts';
import { type LocalSlack, startLocalSlack } from '../../sandbox/slack/server.ts';
import { createApp } from '../../src/app.ts';
import { parseConfig } from '../../src/config.ts';
import type { Runnable } from '../../src/process/run-until-stopped.ts';
import { openBrowser } from '../../test/support/browser.ts';
import { BotTalk } from './bot-talk.ts';

/** A workspace whose clock moves only when a picture needs it, with the same seed each time. */
export interface PictureSet {
  page: Page;
  production: LocalService['world'];
  /** Resolves when the bot has posted so many more messages and is done with them. */
  posts(count: number): Promise<void>;
  /** Advances everybody's clock at once, second by second. Resolves when the bot has checked what happened meanwhile. */
  passes(ms: number): Promise<void>;
  close(): Promise<void>;
}

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
/** A Wednesday at noon in Ann's time zone. */
const BEGIN = Date.UTC(2026, 2, 4, 11);
const TIME_ZONE = 'Europe/Berlin';
/** The width of the browser's window in pixels, with room for the panel beside the conversation. */
export const WIDTH = 1_400;
/** High enough for an event with its timeline. */
export const HIGH = 900;
/** High enough for a digest and nothing before it, because simultaneous messages can be in either order. */
export const LOW = 740;

export async function openSet(): Promise<PictureSet> {
  let time = BEGIN;
  const now = () => time;
  const services = await Promise.all([startService(now, 1), startService(now, 2)]);
  const [production, staging] = services;
  const slack = await startSlack(now, production);
  const folder = await mkdtemp(join(tmpdir(), 'notif-pictures-'));
  const talk = new BotTalk();
  const bot = await startBot(slack, [production, staging], folder, { now, talk });
  const browser = await openBrowser();
  const page = await browser.newPage({
    viewport: { width: WIDTH, height: HIGH },
    deviceScaleFactor: 2,
    timezoneId: TIME_ZONE,
    locale: 'en-GB',
    reducedMotion: 'reduce',
  });
  await page.clock.setFixedTime(BEGIN);
  await page.goto(`${slack.url}/?as=U0ANN&in=C0ONCALL`);
  await page.getByText('Notif is connected').waitFor();
  return {
    page,
    production: production.world,
    posts: async (count) => {
      await talk.says('Message posted', count);
      // The bot logs this before it has recorded the events.
      await talk.says('Events checked: production', 2);
    },
    passes: async (ms) => {
      // Without a pause in between, so that the bot sees everything at once, whenever it polls.
      for (const end = time + ms; time < end; ) {
        time += 1_000;
        for (const service of services) service.advance();
      }
      await page.clock.setFixedTime(time);
      await talk.says('Events checked: production', 2);
    },
    close: async () => {
      await browser.close();
      await bot.stop();
      await Promise.all([slack.close(), ...services.map((service) => service.close())]);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Starts a service in which people trigger events all the time, and only planned failures occur. */
async function startService(now: () => number, seed: number): Promise<LocalService> {
  const service = await startLocalService({ seed, now, alive: true });
  Object.assign(service.world.accidents, { providerError: 0, bounce: 0, stuck: 0 });
  return service;
}

async function startSlack(now: () => number, service: LocalService): Promise<LocalSlack> {
  const manifestFile = join(ROOT, 'manifest.yml');
  const slack = await startLocalSlack({ manifestFile, pageFiles: await buildPage(ROOT), now });
  slack.mount('/director/', directorRoutes(new Director(SCENARIOS, { service, slack }, now)));
  return slack;
}

async function startBot(
  slack: LocalSlack,
  [production, staging]: readonly [LocalService, LocalService],
  dataFolder: string,
  { now, talk }: { now: () => number; talk: BotTalk },
): Promise<Runnable> {
  const environments = [
    { name: 'production', label: 'Production', url: production.url, apiKey: production.apiKey },
    { name: 'staging', label: 'Staging', url: staging.url, apiKey: staging.apiKey },
  ];
  const variables = botEnvironment({}, { slack, environments, dataFolder, port: 0 });
  const bot = await createApp(parseConfig({ ...variables, NOTIF_POLL_SECONDS: '1' }), {
    logger: talk.logger,
    onFatal: (error) => {
      throw error;
    },
    now: () => new Date(now()),
  });
  await bot.start();
  return bot;
}
