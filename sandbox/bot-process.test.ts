import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startBot } from './bot.ts';
import { findFreePort } from './this-machine.ts';

test('a bot that never becomes ready reports how it ended, with its last output', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'notif-bot-'));
  // Below the ports that Linux gives to other tests' sockets.
  const readyUrl = `http://127.0.0.1:${await findFreePort(19_000)}/readyz`;
  const command = ['-e', `console.error('SLACK_BOT_TOKEN is missing'); process.exit(3);`];
  const bot = await startBot({ command, folder, env: process.env, logFile: join(folder, 'bot.log'), readyUrl });
  await expect(bot.ready()).rejects.toThrow(/did not start: it ended with exit code 3\..*SLACK_BOT_TOKEN is missing/s);
  await rm(folder, { recursive: true });
});
