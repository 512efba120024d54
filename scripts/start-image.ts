import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { botEnvironment, lastLines, startBot } from '../sandbox/bot.ts';
import { startLocalService } from '../sandbox/service/server.ts';
import { startLocalSlack } from '../sandbox/slack/server.ts';
import { findFreePort } from '../sandbox/this-machine.ts';

/** Starts `dist/main.js` of the folder given as the first argument against a local Slack and service, and stops it once it's ready. */
async function startAndStop(folder: string): Promise<void> {
  const temporary = await mkdtemp(join(tmpdir(), 'notif-image-'));
  const logFile = join(temporary, 'notif.log');
  const service = await startLocalService({});
  const slack = await startLocalSlack({ manifestFile: 'manifest.yml' });
  // Not 3000, where another Notif could answer instead, nor the ports that Linux gives to sockets, from 32768 on.
  const port = await findFreePort(20_000 + (process.pid % 12_000));
  const environments = [{ name: 'production', label: 'Production', url: service.url, apiKey: service.apiKey }];
  const bot = await startBot({
    command: ['--optimize-for-size', 'dist/main.js'],
    folder,
    env: botEnvironment(process.env, { slack, environments, dataFolder: join(temporary, 'data'), port }),
    logFile,
    readyUrl: `http://127.0.0.1:${port}/readyz`,
  });
  try {
    await bot.ready();
    await bot.stop();
    const end = await bot.ended;
    if (end !== 'it ended with exit code 0') throw new Error(`It was asked to stop, and ${end}`);
  } catch (error) {
    console.error(await lastLines(logFile, 20));
    throw error;
  } finally {
    await bot.stop();
    await Promise.all([slack.close(), service.close(), rm(temporary, { recursive: true, force: true })]);
  }
}

await startAndStop(process.argv[2] ?? '.');
