import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parseConfig } from '../src/config.ts';
import { botEnvironment, startBot } from './bot.ts';
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

test('a bot finds the variables of an environment with a hyphen in its name', () => {
  const slack = { apiUrl: 'http://127.0.0.1:1/api/', botToken: 'xoxb-1', appToken: 'xapp-1' };
  const environment = { name: 'us-east', label: 'US East', url: 'http://127.0.0.1:2', apiKey: 'key' };
  const variables = botEnvironment({}, { slack, environments: [environment], dataFolder: 'data', port: 3000 });
  const [found] = parseConfig(variables).environments;
  expect(found).toMatchObject({ environment: { label: 'US East' }, apiKey: 'key' });
});
