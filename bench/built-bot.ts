import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { type BotProcess, botEnvironment, startBot } from '../sandbox/bot.ts';
import type { LocalSlack } from '../sandbox/slack/server.ts';
import { findFreePort } from '../sandbox/this-machine.ts';
import { withTemporaryFolder } from './ground.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

export const MANIFEST_FILE = join(ROOT, 'manifest.yml');

/** Builds `dist/`, as `npm start` does. Rejects with the compiler's output. */
export async function buildBot(): Promise<void> {
  await promisify(execFile)('npm', ['run', 'build'], { cwd: ROOT });
}

export interface BuiltBot extends BotProcess {
  /** Returns Notif's own measurements: the text of its `/metrics`. */
  metrics(): Promise<string>;
}

/** Runs `work` with a ready bot that has an empty data folder. */
export function withBuiltBot<Result>(
  slack: LocalSlack,
  serviceUrl: string,
  work: (bot: BuiltBot) => Promise<Result>,
): Promise<Result> {
  return withTemporaryFolder(async (folder) => {
    const bot = await startBuiltBot(slack, serviceUrl, folder);
    try {
      await bot.ready();
      return await work(bot);
    } finally {
      await bot.stop();
    }
  });
}

/** Starts the bot as in production, plain Node on `dist/`, against the sandbox. Its data and log are in `folder`. */
export async function startBuiltBot(
  slack: LocalSlack,
  serviceUrl: string,
  folder: string,
  variables: NodeJS.ProcessEnv = {},
): Promise<BuiltBot> {
  const port = await findFreePort(3000);
  const environments = [{ name: 'bench', label: 'Bench', url: serviceUrl, apiKey: 'sandbox-key' }];
  const bot = await startBot({
    command: ['dist/main.js'],
    folder: ROOT,
    env: {
      ...botEnvironment(process.env, { slack, environments, dataFolder: join(folder, 'data'), port }),
      ...variables,
    },
    logFile: join(folder, 'bot.log'),
    readyUrl: `http://127.0.0.1:${port}/readyz`,
  });
  // A connection that is kept may be closed by a busy bot just when it's used again.
  const headers = { connection: 'close' };
  return { ...bot, metrics: async () => (await fetch(`http://127.0.0.1:${port}/metrics`, { headers })).text() };
}
