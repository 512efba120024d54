import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, open, readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

export interface LocalEnvironment {
  readonly name: string;
  readonly label: string;
  readonly url: string;
  readonly apiKey: string;
}

export interface BotSettings {
  readonly slack: { readonly apiUrl: string; readonly botToken: string; readonly appToken: string };
  readonly environments: readonly LocalEnvironment[];
  readonly dataFolder: string;
  readonly port: number;
}

/** Variables that the bot would read as its configuration. Those of the user, with real tokens and databases, must not reach a sandbox. */
const botsOwn = /^(NOTIF_|SLACK_|DATABASE_URL(_FILE)?$|PORT$|LOG_LEVEL$)/;

export function botEnvironment(own: NodeJS.ProcessEnv, settings: BotSettings): NodeJS.ProcessEnv {
  const { slack, environments, dataFolder, port } = settings;
  return {
    ...Object.fromEntries(Object.entries(own).filter(([name]) => !botsOwn.test(name))),
    SLACK_API_URL: slack.apiUrl,
    SLACK_BOT_TOKEN: slack.botToken,
    SLACK_APP_TOKEN: slack.appToken,
    NOTIF_ENVIRONMENTS: environments.map(({ name }) => name).join(','),
    ...Object.assign({}, ...environments.map(variablesOf)),
    NOTIF_DIGEST_CHANNEL: 'C0ONCALL',
    NOTIF_POLL_SECONDS: '10',
    NOTIF_OPERATORS: 'U0ANN',
    NOTIF_DATA_DIR: dataFolder,
    PORT: String(port),
  };
}

function variablesOf({ name, label, url, apiKey }: LocalEnvironment): NodeJS.ProcessEnv {
  const prefix = `NOTIF_${name.toUpperCase()}`;
  return { [`${prefix}_API_URL`]: url, [`${prefix}_API_KEY`]: apiKey, [`${prefix}_LABEL`]: label };
}

interface BotOptions {
  /** Arguments for Node: the file to run, and the options before it. */
  readonly command: readonly string[];
  readonly folder: string;
  readonly env: NodeJS.ProcessEnv;
  /** The file for all of the bot's output; overwritten. */
  readonly logFile: string;
  readonly readyUrl: string;
}

export interface BotProcess {
  /** Waits until the bot is ready. Rejects with a BotError if it ends before that or takes longer than a minute. */
  ready(): Promise<void>;
  /** Resolves when the process has ended, with a description of how. Never rejects. */
  readonly ended: Promise<string>;
  /** Asks the bot to stop, and kills it after five seconds. */
  stop(): Promise<void>;
  /** Kills it as the system does when memory runs out. */
  kill(): Promise<void>;
}

/** Thrown when the bot didn't become ready, or stopped. The message is a sentence for the user. */
export class BotError extends Error {
  override readonly name = 'BotError';
  readonly logFile: string;

  constructor(message: string, logFile: string) {
    super(message);
    this.logFile = logFile;
  }
}

const patience = { ready: 60_000, stop: 5_000, between: 50 };

/** Starts the real bot in its own process. The sandbox shares only environment variables with it. */
export async function startBot({ command, folder, env, logFile, readyUrl }: BotOptions): Promise<BotProcess> {
  await mkdir(dirname(logFile), { recursive: true });
  const log = await open(logFile, 'w');
  // The bot is in its own process group, so Ctrl-C reaches only the sandbox, which then stops everything in order.
  const child = spawn(process.execPath, command, {
    cwd: folder,
    env,
    detached: true,
    stdio: ['ignore', log.fd, log.fd],
  });
  const ended = endOf(child);
  const killWithUs = () => child.kill('SIGKILL');
  process.once('exit', killWithUs);
  void ended.then(async () => {
    process.off('exit', killWithUs);
    await log.close();
  });
  return {
    ready: () => waitUntilReady({ readyUrl, logFile }, ended),
    ended,
    stop: () => stop(child, ended),
    kill: async () => {
      child.kill('SIGKILL');
      await ended;
    },
  };
}

/** Returns the last lines of a log file for the user, or says that it is empty. */
export async function lastLines(file: string, count: number): Promise<string> {
  const text = await readFile(file, 'utf8');
  return text.trimEnd().split('\n').slice(-count).join('\n') || '(it wrote nothing)';
}

function endOf(child: ChildProcess): Promise<string> {
  return once(child, 'exit').then(
    ([code, signal]) => (signal === null ? `it ended with exit code ${code}` : `it was ended by ${signal}`),
    (error: Error) => `it could not be started: ${error.message}`,
  );
}

async function waitUntilReady(
  { readyUrl, logFile }: Pick<BotOptions, 'readyUrl' | 'logFile'>,
  ended: Promise<string>,
): Promise<void> {
  const giveUpAt = Date.now() + patience.ready;
  let why = 'it has not answered';
  const end = ended.then((how) => ({ how }));
  while (Date.now() < giveUpAt) {
    const outcome = await Promise.race([end, askWhetherReady(readyUrl)]);
    if (outcome === 'ready') return;
    if (typeof outcome === 'object') throw new BotError(`The bot did not start: ${outcome.how}.`, logFile);
    why = outcome;
    await Promise.race([end, pause(patience.between)]);
  }
  throw new BotError(`The bot is not ready after ${patience.ready / 1_000} seconds: ${why}.`, logFile);
}

async function askWhetherReady(url: string): Promise<string> {
  try {
    const answer = await fetch(url, { signal: AbortSignal.timeout(patience.stop) });
    return answer.ok ? 'ready' : `${url} answers ${answer.status}: ${await answer.text()}`;
  } catch (error) {
    return `${url} does not answer (${error instanceof Error ? error.message : error})`;
  }
}

async function stop(child: ChildProcess, ended: Promise<string>): Promise<void> {
  child.kill('SIGTERM');
  const tooLong = new AbortController();
  const deadline = pause(patience.stop, 'late', { signal: tooLong.signal }).catch(() => 'cancelled');
  if ((await Promise.race([ended, deadline])) === 'late') child.kill('SIGKILL');
  tooLong.abort();
  await ended;
}
