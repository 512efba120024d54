import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type BotProcess, startBot } from './bot.ts';
import { findFreePort } from './this-machine.ts';

/** A one-line bot that becomes ready, and stops when asked. */
const wellBehaved = `
  process.on('SIGTERM', () => process.exit(0));
  require('node:http').createServer((_, answer) => answer.end()).listen(process.env.PORT, '127.0.0.1');`;

let folder: string;
let bot: BotProcess | undefined;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'notif-bot-'));
});

afterEach(async () => {
  await bot?.stop();
  await rm(folder, { recursive: true });
});

async function start(script: string): Promise<BotProcess> {
  // Below the ports that Linux gives to other tests' sockets.
  const port = await findFreePort(19_000);
  const readyUrl = `http://127.0.0.1:${port}/readyz`;
  const env = { ...process.env, PORT: String(port) };
  bot = await startBot({ command: ['-e', script], folder, env, logFile: join(folder, 'bot.log'), readyUrl });
  return bot;
}

describe('the bot in its own process', () => {
  test('becomes ready, and stops when asked', async () => {
    const started = await start(wellBehaved);
    await started.ready();
    await started.stop();
    expect(await started.ended).toBe('it ended with exit code 0');
  });

  test('reports how it ended if it never became ready, and keeps its last output', async () => {
    const started = await start(`console.error('SLACK_BOT_TOKEN is missing'); process.exit(3);`);
    await expect(started.ready()).rejects.toThrow(
      /did not start: it ended with exit code 3\..*SLACK_BOT_TOKEN is missing/s,
    );
  });
});
