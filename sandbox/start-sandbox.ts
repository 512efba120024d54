import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type BotProcess, botEnvironment, type LocalEnvironment, startBot } from './bot.ts';
import { buildPage } from './build-page.ts';
import type { Closing } from './close-on-signal.ts';
import { runDirector } from './director/routes.ts';
import { type LocalService, type LocalServiceOptions, startLocalService } from './notification-service/server.ts';
import { type Opening, PAGE_PORT, type RunArguments } from './run-arguments.ts';
import { type LocalSlack, startLocalSlack } from './slack/server.ts';
import { findFreePort } from './this-machine.ts';

interface Welcome {
  readonly pageUrl: string;
  readonly environments: readonly { readonly name: string; readonly url: string }[];
  /** An event to look up, or null if none has failed. */
  readonly failedEventId: string | null;
  readonly logFile: string;
  readonly opening: Opening;
}

/** Returns the text for the terminal once everything runs: where to look, what to type, whom to act as. */
export function welcome({ pageUrl, environments, failedEventId, logFile, opening }: Welcome): string {
  const { port } = new URL(pageUrl);
  const atPort = Number(port) === PAGE_PORT ? '' : ` --port ${port}`;
  const services = environments.map(({ name, url }) => `${name} ${url}`).join(', ');
  return `
Sandbox is running. Open ${pageUrl}

In #oncall, try:
  /notif help
  /notif failures
  /notif event ${failedEventId ?? '<event id>'}
  /notif trigger order-shipped
You act as ann, an operator. ben (“Act as”) isn't one, so changes are refused.
#oncall gets a digest of the last hour's failures in a moment. ${beginning(opening)}: watch the alert arrive and its counts update.
Next to the conversation are things to try and other scenarios to play (also: npm run sandbox:direct -- start bounce-storm${atPort}).

Notification Services: ${services} (key: sandbox-key)
The bot's log: ${logFile}
Ctrl-C stops everything.
`;
}

function beginning({ scenario, inMs }: Opening): string {
  const when = inMs === 0 ? 'Now' : `In ${Math.round(inMs / 1_000)} seconds`;
  return `${when} the scenario '${scenario}' begins`;
}

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const CACHE = join(ROOT, '.cache');

/** Returns the file with the bot's output. Each sandbox has its own, the one at the default port the one that the docs name. */
function logFileFor(pageUrl: string): string {
  const { port } = new URL(pageUrl);
  return join(CACHE, Number(port) === PAGE_PORT ? 'sandbox-bot.log' : `sandbox-bot-${port}.log`);
}

/** The hour of the first digest has only a handful of rows, so that it can be read at a glance. */
const FEW_ACCIDENTS = { outages: 1, accidents: { providerError: 0.0004, bounce: 0.002, stuck: 0.0002 } };
/** One digest at the start is enough, so that the last one visible is about production. */
const NOTHING_FAILS = { outages: 0, accidents: { providerError: 0, retry: 0, bounce: 0, stuck: 0 } };

export interface Sandbox {
  readonly pageUrl: string;
  readonly environments: readonly LocalEnvironment[];
  readonly failedEventId: string | null;
  readonly logFile: string;
  readonly bot: BotProcess;
}

/**
 * Starts two Notification Services with two hours of history, the local Slack with its page, the bot, and the opening scenario. Resolves
 * when the bot is ready.
 *
 * @param closing gets each part as soon as it runs.
 * @throws NoFreePortError, or BotError if the bot doesn't start.
 */
export async function startSandbox(wanted: RunArguments, closing: Closing): Promise<Sandbox> {
  const { production, staging } = await startServices(wanted.servicePort, closing);
  const slack = closing.add(await startSlack(wanted.pagePort));
  const director = closing.add(runDirector({ service: production, slack }));
  const environments = [
    { name: 'production', label: 'Production', url: production.url, apiKey: production.apiKey },
    { name: 'staging', label: 'Staging', url: staging.url, apiKey: staging.apiKey },
  ];
  const dataFolder = wanted.keep ? join(CACHE, 'sandbox-data') : await temporaryFolder(closing);
  const logFile = logFileFor(slack.url);
  const bot = await launchBot(slack, environments, { dataFolder, logFile });
  closing.add({ close: () => bot.stop() });
  await bot.ready();
  await director.start(wanted.opening.scenario, wanted.opening);
  return { pageUrl: slack.url, environments, failedEventId: newestFailedEvent(production), logFile, bot };
}

/** Starts both environments' services, at the first free ports from this one on. `closing` gets each as soon as it runs. */
export async function startServices(
  port: number,
  closing: Pick<Closing, 'add'>,
): Promise<{ readonly production: LocalService; readonly staging: LocalService }> {
  const production = closing.add(await startService(port, 1, FEW_ACCIDENTS));
  const staging = closing.add(await startService(port + 1, 2, NOTHING_FAILS));
  return { production, staging };
}

/** Creates a folder for one sandbox, so that two at once don't affect each other. It is deleted when the sandbox is closed. */
async function temporaryFolder(closing: Closing): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'notif-sandbox-'));
  closing.add({ close: () => rm(folder, { recursive: true, force: true }) });
  return folder;
}

async function startService(
  wantedPort: number,
  seed: number,
  lately: Pick<LocalServiceOptions, 'accidents'> & { readonly outages: number },
): Promise<LocalService> {
  return startLocalService({
    port: await findFreePort(wantedPort),
    seed,
    alive: true,
    ownOutages: false,
    rateLimits: true,
    accidents: lately.accidents ?? {},
    history: { hours: 2, outages: lately.outages },
  });
}

async function startSlack(wantedPort: number): Promise<LocalSlack> {
  const pageFiles = await buildPage(ROOT);
  const port = await findFreePort(wantedPort);
  if (port !== wantedPort) console.log(`Port ${wantedPort} is taken: the page is at ${port}.`);
  return startLocalSlack({ port, pageFiles, manifestFile: join(ROOT, 'manifest.yml'), rateLimits: true });
}

async function launchBot(
  { apiUrl, botToken, appToken }: LocalSlack,
  environments: readonly LocalEnvironment[],
  { dataFolder, logFile }: { readonly dataFolder: string; readonly logFile: string },
): Promise<BotProcess> {
  const port = await findFreePort(3000, 'every interface');
  const slack = { apiUrl, botToken, appToken };
  return startBot({
    command: ['--import', 'tsx', 'src/main.ts'],
    folder: ROOT,
    env: botEnvironment(process.env, { slack, environments, dataFolder, port }),
    logFile,
    readyUrl: `http://127.0.0.1:${port}/readyz`,
  });
}

function newestFailedEvent({ world }: LocalService): string | null {
  const row = world.events.newest(({ event }) => event.jobs.some(({ status }) => status === 'failed'));
  return row?.id ?? null;
}
