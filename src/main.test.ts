import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, it, vi } from 'vitest';
import { startSlackServer } from './slack/connection/slack-server.testing.ts';

/** A first start creates the embedded database, which takes seconds, and many of them on a busy machine. */
const DATABASE_CREATED_MS = 45_000;

function startNotif(variables: Record<string, string>) {
  const { PATH = '' } = process.env;
  return spawn(process.execPath, ['--import', 'tsx', 'src/main.ts'], { env: { PATH, ...variables }, stdio: 'pipe' });
}

describe('the process', () => {
  it('lists what is missing, names the sandbox and exits with 1', async () => {
    const notif = startNotif({ SLACK_BOT_TOKEN: 'planted' });
    const [said, [code]] = await Promise.all([text(notif.stderr), once(notif, 'exit')]);
    expect(code).toBe(1);
    for (const variable of ['NOTIF_API_URL', 'NOTIF_API_KEY', 'SLACK_BOT_TOKEN', 'SLACK_APP_TOKEN']) {
      expect(said).toContain(`  ${variable} is `);
    }
    expect(said).toContain('To try it without Slack or a service: npm run sandbox');
    expect(said).not.toMatch(/planted|\n {4}at /);
  });

  it('connects, and stops on SIGTERM with 0', { timeout: 2 * DATABASE_CREATED_MS }, async () => {
    const slack = await startSlackServer();
    const folder = await mkdtemp(join(tmpdir(), 'notif-main-'));
    const notif = startNotif({
      SLACK_BOT_TOKEN: 'xoxb-bot',
      SLACK_APP_TOKEN: 'xapp-app',
      SLACK_API_URL: slack.apiUrl,
      NOTIF_API_URL: slack.origin,
      NOTIF_API_KEY: 'key',
      NOTIF_DATA_DIR: folder,
      PORT: '0',
    });
    try {
      const exited = once(notif, 'exit');
      const logged = text(notif.stdout);
      await vi.waitFor(() => expect(slack.sockets.length).toBeGreaterThan(0), DATABASE_CREATED_MS);
      notif.kill('SIGTERM');
      expect(await exited).toEqual([0, null]);
      expect(await logged).toContain('The process was asked to stop');
    } finally {
      notif.kill('SIGKILL');
      await slack.close();
      await rm(folder, { recursive: true, force: true });
    }
  });
});
