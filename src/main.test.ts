import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { access, mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createApp } from './app.ts';
import { parseConfig } from './config.ts';
import { silent } from './lib/logger.testing.ts';
import { logLine } from './lib/text/scrub.ts';
import { startProxy } from './process/proxy.testing.ts';
import { answering, type SlackServer, startSlackServer } from './slack/connection/slack-server.testing.ts';
import { SlackRefusedError } from './slack/slack-errors.ts';
import { dropDatabase, newDatabase, newStoreFolder, shared } from './store/store.testing.ts';

async function startNotif(variables: Record<string, string>, ...args: string[]) {
  const { PATH = '' } = process.env;
  return spawn(process.execPath, [await shared('/bot'), ...args], { env: { PATH, ...variables }, stdio: 'pipe' });
}

describe('the process', () => {
  let slack: SlackServer;
  let database: string;
  beforeEach(async () => {
    slack = await startSlackServer();
    database = await newDatabase();
  });
  afterEach(async () => {
    await slack.close();
    await dropDatabase(database);
  });

  const connected = (variables: Record<string, string> = {}) => ({
    SLACK_BOT_TOKEN: 'xoxb-bot',
    SLACK_APP_TOKEN: 'xapp-app',
    SLACK_API_URL: slack.apiUrl,
    NOTIF_API_URL: slack.origin,
    NOTIF_API_KEY: 'key',
    DATABASE_URL: database,
    PORT: '0',
    ...variables,
  });
  const startConnected = (variables: Record<string, string> = {}, ...args: string[]) =>
    startNotif(connected(variables), ...args);

  test('connects, is backed up on SIGUSR2, and exits with 0 on SIGTERM', async () => {
    const folder = await newStoreFolder();
    const embedded = { DATABASE_URL: '', NOTIF_DATA_DIR: folder };
    const notif = await startConnected(embedded);
    try {
      const exited = once(notif, 'exit');
      const logged = text(notif.stdout);
      const printed = text(notif.stderr);
      await vi.waitFor(() => expect(slack.sockets.length).toBeGreaterThan(0), { timeout: 60_000 });
      notif.kill('SIGUSR2');
      await vi.waitFor(() => access(join(folder, 'backup')), { timeout: 60_000 });
      // Notif ignores this signal, with which Node would open its inspector.
      notif.kill('SIGUSR1');
      notif.kill('SIGTERM');
      expect(await exited).toEqual([0, null]);
      expect(await logged).toContain('The process was asked to stop');
      expect(await printed).toBe('');
    } finally {
      notif.kill('SIGKILL');
      await rm(folder, { recursive: true, force: true });
    }
  });

  test('exits with 78 when Slack refuses a token, because a restart is useless, and runs a command without one', async () => {
    slack.answers.set('auth.test', answering({ ok: false, error: 'invalid_auth' }));
    const notif = await startConnected();
    expect(await once(notif, 'exit')).toEqual([78, null]);
    const erasing = await startConnected({}, 'erase', '--subscriber', 'user 45');
    expect(await text(erasing.stdout)).toMatch(/"rows":0,"msg":"Nothing of this subscriber found/);
  });

  test('exits with 78 without a configuration, lists everything that is missing, and names the sandbox', async () => {
    const notif = await startNotif({ LOG_LEVEL: 'loud' });
    const printed = text(notif.stderr);
    expect(await once(notif, 'exit')).toEqual([78, null]);
    const complaint = await printed;
    for (const variable of ['NOTIF_API_URL', 'NOTIF_API_KEY', 'SLACK_BOT_TOKEN', 'SLACK_APP_TOKEN', 'LOG_LEVEL']) {
      expect(complaint).toMatch(new RegExp(`  ${variable} is(?:n't)? `));
    }
    expect(complaint).toContain('npm run sandbox');
    expect(complaint).not.toMatch(/\n {4}at |loud/);
  });

  test('is refused with a token of another workspace, before anything is posted there, unless the workspace was moved', async () => {
    const isOf = (team_id: string, team: string) =>
      slack.answers.set('auth.test', answering({ ok: true, user_id: 'U0BOT', bot_id: 'B0BOT', team_id, team }));
    const starts = async (variables = {}) => {
      const app = await createApp(parseConfig(connected(variables)), { logger: silent, onFatal: () => {} });
      await app.start().finally(() => app.stop());
    };
    isOf('T1', 'Acme Corporation (EU)');
    await starts();
    isOf('T2', 'Other Corporation');
    const refusal = await starts().catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(SlackRefusedError);
    expect(logLine(String(refusal))).toMatch(/workspace Other.*\(T2\).* of Acme.*\(T1\).*TEAM_CHANGE=accept$/);
    await starts({ NOTIF_TEAM_CHANGE: 'accept' });
    await starts();
    expect(slack.calls).not.toContain('chat.postMessage');
  });

  test('reaches Slack, its sockets and the service through a proxy, which it names if that refuses, but not what NO_PROXY names', async () => {
    const proxy = await startProxy(Number(new URL(slack.origin).port), new Set(['service.test:80']));
    slack.answers.set('apps.connections.open', answering({ ok: true, url: 'ws://sockets.test/link' }));
    const notif = await startConnected({
      SLACK_API_URL: 'http://api.test/api/',
      NOTIF_ENVIRONMENTS: 'far,near',
      NOTIF_FAR_API_URL: 'http://service.test',
      NOTIF_FAR_API_KEY: 'key',
      NOTIF_NEAR_API_URL: slack.origin,
      NOTIF_NEAR_API_KEY: 'key',
      NOTIF_API_URL: '',
      NOTIF_API_KEY: '',
      HTTP_PROXY: `http://user:password@${proxy.host}`,
      NO_PROXY: '127.0.0.1',
    });
    try {
      let logged = '';
      notif.stdout.on('data', (written) => (logged += String(written)));
      await vi.waitFor(() => expect(slack.sockets.length).toBeGreaterThan(0), { timeout: 60_000 });
      await vi.waitFor(() => expect(logged).toContain(`ERR_PROXY ${proxy.host} 407`), { timeout: 60_000 });
      const isNear = expect.stringMatching(/^v1\/notifications/);
      await vi.waitFor(() => expect(slack.calls).toContainEqual(isNear), { timeout: 60_000 });
      const hosts = ['api.test', 'service.test', 'sockets.test'];
      await vi.waitFor(() => expect(proxy.passed()).toEqual(hosts.map((host) => `${host}:80`)), { timeout: 60_000 });
      expect(logged).not.toContain('password');
    } finally {
      notif.kill('SIGKILL');
      proxy.close();
    }
  });

  test('exits with 0 on SIGTERM while it still reads its configuration', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'notif-main-'));
    const causes = join(folder, 'causes.yml');
    await promisify(execFile)('mkfifo', [causes]);
    const notif = await startConnected({ NOTIF_CAUSES_FILE: causes });
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
