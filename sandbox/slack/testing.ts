import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { App, type Logger, LogLevel } from '@slack/bolt';
import { WebClient } from '@slack/web-api';
import { parseDocument } from 'yaml';
import { type LocalSlack, type LocalSlackOptions, startLocalSlack } from './server.ts';

const MANIFEST = fileURLToPath(new URL('../../manifest.yml', import.meta.url));

/** Slack's packages log every refusal, and the tests refuse a lot. */
export const quiet: Logger = {
  debug() {},
  info() {},
  warn() {},
  error() {},
  setLevel() {},
  getLevel: () => LogLevel.ERROR,
  setName() {},
};

/** A local Slack for one test file, with the project's own manifest unless another is given. */
export function startSlack(options: Partial<LocalSlackOptions> = {}): Promise<LocalSlack> {
  return startLocalSlack({ manifestFile: MANIFEST, ...options });
}

/** A local Slack for which one value of the manifest is another: `['settings', 'event_subscriptions', 'bot_events']`. */
export async function startSlackWith(
  path: readonly (string | number)[],
  value: unknown,
  options: Partial<LocalSlackOptions> = {},
): Promise<LocalSlack> {
  const folder = await mkdtemp(join(tmpdir(), 'manifest-'));
  const manifestFile = join(folder, 'manifest.yml');
  try {
    const manifest = parseDocument(await readFile(MANIFEST, 'utf8'));
    manifest.setIn(path, value);
    await writeFile(manifestFile, manifest.toString());
    return await startSlack({ ...options, manifestFile });
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Slack's own client, which tries each call once. */
export function clientOf(slack: LocalSlack, token: string = slack.botToken): WebClient {
  return new WebClient(token, { slackApiUrl: slack.apiUrl, retryConfig: { retries: 0 }, logger: quiet });
}

/** A Bolt app in Socket Mode, not started yet. */
export function botOf(slack: LocalSlack): App {
  return new App({
    token: slack.botToken,
    appToken: slack.appToken,
    socketMode: true,
    logger: quiet,
    clientOptions: { slackApiUrl: slack.apiUrl, retryConfig: { retries: 0 } },
  });
}

/** What a refused call was refused with: the body of Slack's answer. */
export async function refusalOf(call: Promise<unknown>): Promise<Record<string, unknown>> {
  const error = await call.then(
    () => new Error('the call was accepted'),
    (reason: unknown) => reason,
  );
  if (error instanceof Error && 'data' in error) return { ...Object(error.data) };
  throw error;
}
