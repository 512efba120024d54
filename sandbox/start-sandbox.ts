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
import { noAccidents } from './service/world.ts';
import { startLocalSlack } from './slack/server.ts';
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
  const { 'page-port': wantedPort, 'service-port': servicePort, scenario, seed, speed, keep } = options;
  const keeping = <Part extends Closing>(part: Part): Part => {
    started(part);
    return part;
  };
  const now = roundToNearestMinutes(new Date(), { nearestTo: 10, roundingMethod: 'floor' });
  // All end more than 26 hours before what fails now, which is therefore another incident; one is of the week before.
  const outages = [
    { to: subDays(now, 10), ...causeNamed('suspendedAccount') },
    { to: subDays(now, 5), ...causeNamed('wrongToken') },
    { to: subHours(now, 27), ...causeNamed('expiredKey') },
  ];
  const production = keeping(
    await startLocalService({ ...CALM, port: await findFreePort(servicePort), seed: 1, outages }),
  );
  const staging = keeping(await startLocalService({ ...CALM, port: await findFreePort(servicePort + 1), seed: 2 }));
  const pageFiles = await buildPage(ROOT);
  const port = await findFreePort(wantedPort);
  if (port !== wantedPort) console.log(`Port ${wantedPort} is taken: the page is at ${port}.`);
  const manifestFile = join(ROOT, 'manifest.yml');
  const slack = keeping(await startLocalSlack({ port, pageFiles, manifestFile, onRefusal: console.warn }));
  console.log(
    `The page is at ${slack.url}. Notif gets two weeks of past first: ten seconds, on a busy machine minutes.`,
  );
  const director = keeping(runDirector(production, slack));
  const environments = [
    { name: 'production', label: 'Production', url: production.url, apiKey: production.apiKey },
    { name: 'staging', label: 'Staging', url: staging.url, apiKey: staging.apiKey },
  ];
  const dataFolder = keep ? join(CACHE, 'sandbox-data') : await mkdtemp(join(tmpdir(), 'notif-sandbox-'));
  if (!keep) started({ close: () => rm(dataFolder, { recursive: true, force: true }) });
  const logFile = join(CACHE, port === PAGE_PORT ? 'sandbox-bot.log' : `sandbox-bot-${port}.log`);
  const botPort = await findFreePort(3000);
  const settings = botEnvironment(process.env, { slack, environments, dataFolder, port: botPort });
  // The services have no older events that could be read again.
  const env = { ...settings, NOTIF_HORIZON_HOURS: String(CALM.history) };
  const times = [now, ...outages.map(({ to }) => to)].map((time) => time.toISOString());
  await promisify(execFile)(process.execPath, ['--import', 'tsx', 'sandbox/past.ts', ...times], { cwd: ROOT, env });
  console.log('Its past is written. Notif starts.');
  const command = ['--import', 'tsx', 'src/main.ts'];
  const readyUrl = `http://127.0.0.1:${botPort}/readyz`;
  const bot = await startBot({ command, folder: ROOT, env, logFile, readyUrl });
  started({ close: () => bot.stop() });
  await bot.ready();
  const inMs = scenario === undefined ? TIME_TO_LOOK_MS : 0;
  await director.start(scenario ?? 'provider-outage', { seed, speed, inMs });
  const newestEventId = production.world.events.all.at(-1)?.id ?? '';
  return { pageUrl: slack.url, environments, newestEventId, logFile, bot };
}
