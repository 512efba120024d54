import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { roundToNearestMinutes, subDays, subHours } from 'date-fns';
import { type Options, PAGE_PORT } from './arguments.ts';
import { type BotProcess, botEnvironment, type LocalEnvironment, startBot } from './bot.ts';
import { buildPage } from './build-page.ts';
import { runDirector } from './director/director.ts';
import { causeNamed } from './director/windows.ts';
import { startLocalService } from './service/server.ts';
import type { PastOutage } from './service/traffic.ts';
import { noAccidents } from './service/world.ts';
import { type LocalSlack, startLocalSlack } from './slack/server.ts';
import { findFreePort } from './this-machine.ts';

export interface Closing {
  close(): Promise<unknown>;
}

export interface Sandbox {
  pageUrl: string;
  environments: readonly LocalEnvironment[];
  newestEventId: string;
  logFile: string;
  bot: BotProcess;
}

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const CACHE = join(ROOT, '.cache');

/** Time to open the page and see a healthy state before the outage. */
const TIME_TO_LOOK_MS = 25_000;

/** Nothing fails by itself: what the scenarios do is all there is to see. */
const CALM = { alive: true, history: 2, accidents: noAccidents };

/** Starts services, Slack, page and bot, each handed to `started`, and then the opening scenario. Throws a UserError. */
export async function startSandbox(options: Options<'sandbox'>, started: (part: Closing) => void): Promise<Sandbox> {
  const { 'page-port': pagePort, 'service-port': servicePort, scenario, seed, speed, keep } = options;
  const keeping = <Part extends Closing>(part: Part): Part => {
    started(part);
    return part;
  };
  const now = roundToNearestMinutes(new Date(), { nearestTo: 10, roundingMethod: 'floor' });
  const outages = pastOutages(now);
  const production = keeping(
    await startLocalService({ ...CALM, port: await findFreePort(servicePort), seed: 1, outages }),
  );
  const staging = keeping(await startLocalService({ ...CALM, port: await findFreePort(servicePort + 1), seed: 2 }));
  const slack = keeping(await startSlackWithPage(pagePort));
  const director = keeping(runDirector(production, slack));
  const environments = [
    { name: 'production', label: 'Production', url: production.url, apiKey: production.apiKey },
    { name: 'staging', label: 'Staging', url: staging.url, apiKey: staging.apiKey },
  ];
  const past = [now, ...outages.map(({ to }) => to)];
  const { bot, logFile } = await startNotif({ slack, environments, keep }, past, started);
  const inMs = scenario === undefined ? TIME_TO_LOOK_MS : 0;
  await director.start(scenario ?? 'provider-outage', { seed, speed, inMs });
  const newestEventId = production.world.events.all.at(-1)?.id ?? '';
  return { pageUrl: slack.url, environments, newestEventId, logFile, bot };
}

/** All end more than 26 hours before what fails now, which is therefore another incident; one is of the week before. */
function pastOutages(now: Date): PastOutage[] {
  return [
    { to: subDays(now, 10), ...causeNamed('suspendedAccount') },
    { to: subDays(now, 5), ...causeNamed('wrongToken') },
    { to: subHours(now, 27), ...causeNamed('expiredKey') },
  ];
}

async function startSlackWithPage(wantedPort: number): Promise<LocalSlack> {
  const pageFiles = await buildPage(ROOT);
  const port = await findFreePort(wantedPort);
  if (port !== wantedPort) console.log(`Port ${wantedPort} is taken: the page is at ${port}.`);
  const manifestFile = join(ROOT, 'manifest.yml');
  const slack = await startLocalSlack({ port, pageFiles, manifestFile, onRefusal: console.warn });
  console.log(
    `The page is at ${slack.url}. Notif gets two weeks of past first: ten seconds, on a busy machine minutes.`,
  );
  return slack;
}

interface Surroundings {
  slack: LocalSlack;
  environments: readonly LocalEnvironment[];
  /** Whether what the bot stored at the last run stays. */
  keep: boolean;
}

/** Writes the bot's past, whose times are those of `writePast`, and starts it. */
async function startNotif(
  { slack, environments, keep }: Surroundings,
  past: readonly Date[],
  started: (part: Closing) => void,
): Promise<Pick<Sandbox, 'bot' | 'logFile'>> {
  const dataFolder = keep ? join(CACHE, 'sandbox-data') : await mkdtemp(join(tmpdir(), 'notif-sandbox-'));
  if (!keep) started({ close: () => rm(dataFolder, { recursive: true, force: true }) });
  const pagePort = Number(new URL(slack.url).port);
  const logFile = join(CACHE, pagePort === PAGE_PORT ? 'sandbox-bot.log' : `sandbox-bot-${pagePort}.log`);
  const port = await findFreePort(3000);
  const settings = botEnvironment(process.env, { slack, environments, dataFolder, port });
  // The services have no older events that could be read again.
  const env = { ...settings, NOTIF_HORIZON_HOURS: String(CALM.history) };
  const times = past.map((time) => time.toISOString());
  await promisify(execFile)(process.execPath, ['--import', 'tsx', 'sandbox/past.ts', ...times], { cwd: ROOT, env });
  console.log('Its past is written. Notif starts.');
  const command = ['--import', 'tsx', 'src/main.ts'];
  const readyUrl = `http://127.0.0.1:${port}/readyz`;
  const bot = await startBot({ command, folder: ROOT, env, logFile, readyUrl });
  started({ close: () => bot.stop() });
  await bot.ready();
  return { bot, logFile };
}
