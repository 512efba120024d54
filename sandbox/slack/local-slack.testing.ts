import { fileURLToPath } from 'node:url';
import { App, type Logger, LogLevel } from '@slack/bolt';
import { WebClient } from '@slack/web-api';
import { afterEach, beforeEach } from 'vitest';
import { type LocalSlack, type LocalSlackOptions, startLocalSlack } from './server.ts';

const MANIFEST = fileURLToPath(new URL('../../manifest.yml', import.meta.url));

/** Slack's packages log every refusal, and the tests cause many. */
export const quiet: Logger = {
  debug() {},
  info() {},
  warn() {},
  error() {},
  setLevel() {},
  getLevel: () => LogLevel.ERROR,
  setName() {},
};

export function startSlack(options: Partial<LocalSlackOptions> = {}): Promise<LocalSlack> {
  return startLocalSlack({ manifestFile: MANIFEST, ...options });
}

/** Starts a Slack for each test. The returned object gets its properties then. */
export function slackEachTest(options: Partial<LocalSlackOptions> = {}): LocalSlack {
  const slack: LocalSlack = Object.create(null);
  beforeEach(async () => void Object.assign(slack, await startSlack(options)));
  afterEach(() => slack.close());
  return slack;
}

/** Starts a bot for each test. */
export function botEachTest(slack: LocalSlack, listen: (app: App) => void = () => {}): () => App {
  let app: App;
  beforeEach(async () => {
    app = botOf(slack);
    listen(app);
    await app.start();
  });
  afterEach(() => app.stop());
  return () => app;
}

export function clientOf(slack: LocalSlack, token: string = slack.botToken): WebClient {
  return new WebClient(token, { slackApiUrl: slack.apiUrl, retryConfig: { retries: 0 }, logger: quiet });
}

export function botOf(slack: LocalSlack): App {
  return new App({
    token: slack.botToken,
    appToken: slack.appToken,
    socketMode: true,
    logger: quiet,
    clientOptions: { slackApiUrl: slack.apiUrl, retryConfig: { retries: 0 } },
  });
}

export async function refusalOf(call: Promise<unknown>): Promise<Record<string, unknown>> {
  const error = await call.then(
    () => new Error('the call was accepted'),
    (reason: unknown) => reason,
  );
  if (error instanceof Error && 'data' in error) return { ...Object(error.data) };
  throw error;
}
