import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { access, mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { describe, expect, test, vi } from 'vitest';
import { startSlackServer } from './slack/router/slack-server.testing.ts';
import { newStoreFolder, shared } from './store/store.testing.ts';

async function startNotif(variables: Record<string, string>, ...args: string[]) {
  const { PATH = '' } = process.env;
  return spawn(process.execPath, [await shared('/bot'), ...args], { env: { PATH, ...variables }, stdio: 'pipe' });
}

describe('the process', () => {
  test('connects, is backed up on SIGUSR2, exits with 0 on SIGTERM, and lets commands change its database then', async () => {
    const slack = await startSlackServer();
    const folder = await newStoreFolder();
    const variables = {
      SLACK_BOT_TOKEN: 'xoxb-bot',
      SLACK_APP_TOKEN: 'xapp-app',
      SLACK_API_URL: slack.apiUrl,
      NOTIF_API_URL: slack.origin,
      NOTIF_API_KEY: 'key',
      NOTIF_DATA_DIR: folder,
      PORT: '0',
    };
    const notif = await startNotif(variables);
    try {
      const exited = once(notif, 'exit');
      const logged = text(notif.stdout);
      await vi.waitFor(() => expect(slack.sockets.length).toBeGreaterThan(0), { timeout: 60_000 });
      notif.kill('SIGUSR2');
      await vi.waitFor(() => access(join(folder, 'backup')), { timeout: 60_000 });
      notif.kill('SIGTERM');
      expect(await exited).toEqual([0, null]);
      expect(await logged).toContain('The process was asked to stop');
      const erasing = await startNotif(variables, 'erase', '--subscriber', 'anna');
      expect(await text(erasing.stdout)).toMatch(/"rows":0,"msg":"Erased/);
    } finally {
      notif.kill('SIGKILL');
      await slack.close();
      await rm(folder, { recursive: true, force: true });
    }
  });

  test('exits with 0 on SIGTERM while it still reads its configuration', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'notif-main-'));
    const causes = join(folder, 'causes.yml');
    await promisify(execFile)('mkfifo', [causes]);
    const notif = await startNotif({
      SLACK_BOT_TOKEN: 'xoxb-bot',
      SLACK_APP_TOKEN: 'xapp-app',
      NOTIF_API_URL: 'http://127.0.0.1:1',
      NOTIF_API_KEY: 'key',
      NOTIF_CAUSES_FILE: causes,
      NOTIF_DATA_DIR: join(folder, 'data'),
    });
    const exited = once(notif, 'exit');
    // A pipe can be opened for writing once it is open for reading, and is read until it is closed.
    const writing = await open(causes, 'w');
    try {
      notif.kill('SIGTERM');
      // Node doesn't end while it waits for a file.
      await writing.writeFile('causes: []');
      await writing.close();
      expect(await exited).toEqual([0, null]);
    } finally {
      notif.kill('SIGKILL');
      await rm(folder, { recursive: true, force: true });
    }
  });
});
