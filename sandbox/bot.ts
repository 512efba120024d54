import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, open, readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { UserError } from './this-machine.ts';

export interface LocalEnvironment {
  name: string;
  label: string;
  url: string;
  apiKey: string;
}

export interface BotSettings {
  slack: { apiUrl: string; botToken: string; appToken: string };
  environments: readonly LocalEnvironment[];
  dataFolder: string;
  port: number;
}

/** The bot would read these variables as its configuration. Those of the user, with real tokens and databases, must not reach a sandbox. */
const CONFIGURATION = /^(NOTIF_|SLACK_|DATABASE_URL(_FILE)?$|HOST$|PORT$|LOG_LEVEL$|https?_proxy$)/i;

/** Returns the variables of a bot for these local servers, with all else of `env`. */
export function botEnvironment(env: NodeJS.ProcessEnv, settings: BotSettings): NodeJS.ProcessEnv {
  const { slack, environments, dataFolder, port } = settings;
  return {
    ...Object.fromEntries(Object.entries(env).filter(([name]) => !CONFIGURATION.test(name))),
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
  const prefix = `NOTIF_${name.toUpperCase().replaceAll('-', '_')}`;
  return { [`${prefix}_API_URL`]: url, [`${prefix}_API_KEY`]: apiKey, [`${prefix}_LABEL`]: label };
}

interface BotOptions {
  command: readonly string[];
  folder: string;
  env: NodeJS.ProcessEnv;
  logFile: string;
  readyUrl: string;
}

export interface BotProcess {
  /** Waits until the bot is ready. Rejects with a UserError if it ends before that or takes longer than a minute. */
  ready(): Promise<void>;
  /** Resolves to how the bot ended: 'it ended with exit code 0'. */
  ended: Promise<string>;
  stop(): Promise<void>;
}

/** With the migrations of its database, on a busy machine. */
const READY_MS = 60_000;
const READY_REQUEST_MS = 5_000;
/** Then it is killed. */
const STOP_MS = 5_000;

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
  const ended = once(child, 'exit').then(
    ([code, signal]) => (signal === null ? `it ended with exit code ${code}` : `it was ended by ${signal}`),
    (error: Error) => `it could not be started: ${error.message}`,
  );
  const kill = () => child.kill('SIGKILL');
  process.once('exit', kill);
  void ended.then(() => {
    process.off('exit', kill);
    return log.close();
  });
  return {
    ready: () => waitUntilReady(readyUrl, logFile, ended),
    ended,
    stop: async () => {
      child.kill('SIGTERM');
      const late = setTimeout(kill, STOP_MS);
      await ended;
      clearTimeout(late);
    },
  };
}

export async function lastLines(file: string, count: number): Promise<string> {
  const text = await readFile(file, 'utf8');
  return text.trimEnd().split('\n').slice(-count).join('\n') || '(it wrote nothing)';
}

export async function botError(what: string, logFile: string): Promise<UserError> {
  return new UserError(`${what} The end of its log, ${logFile}:\n\n${await lastLines(logFile, 15)}`);
}

async function waitUntilReady(readyUrl: string, logFile: string, ended: Promise<string>): Promise<void> {
  const giveUpAt = Date.now() + READY_MS;
  const end = ended.then((how) => ({ how }));
  while (Date.now() < giveUpAt) {
    const answer = fetch(readyUrl, { signal: AbortSignal.timeout(READY_REQUEST_MS) }).catch(() => undefined);
    const outcome = await Promise.race([end, answer]);
    if (outcome && 'how' in outcome) throw await botError(`The bot did not start: ${outcome.how}.`, logFile);
    if (outcome?.ok) return;
    await Promise.race([end, pause(50)]);
  }
  throw await botError(`The bot is not ready after ${READY_MS / 1_000} seconds.`, logFile);
}
