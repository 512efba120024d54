import { createServer, type RequestListener } from 'node:http';
import { fileURLToPath } from 'node:url';
import { App, HTTPReceiver, type Logger, LogLevel } from '@slack/bolt';
import { WebClient } from '@slack/web-api';
import { listen } from './http/exchange.ts';
import { type LocalSlack, type LocalSlackOptions, startLocalSlack } from './server.ts';

const MANIFEST = fileURLToPath(new URL('../../manifest.yml', import.meta.url));
export const HTTP_MANIFEST = fileURLToPath(new URL('../../manifest.http.yml', import.meta.url));

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

/** Creates a Bolt app for HTTP, with the `listener` for its requests. */
export function httpBotOf(slack: LocalSlack): { app: App; listener: RequestListener } {
  const receiver = new HTTPReceiver({ signingSecret: slack.signingSecret, logger: quiet });
  const clientOptions = { slackApiUrl: slack.apiUrl, retryConfig: { retries: 0 } };
  const app = new App({ token: slack.botToken, receiver, logger: quiet, clientOptions });
  return { app, listener: (request, response) => receiver.requestListener(request, response) };
}

/** Starts a server for one listener. Returns its origin and a function that stops it at once. */
export async function serve(listener: RequestListener): Promise<{ origin: string; stop(): void }> {
  const server = createServer(listener);
  const origin = await listen(server, 0);
  const stop = () => {
    server.closeAllConnections();
    server.close();
  };
  return { origin, stop };
}

export async function refusalOf(call: Promise<unknown>): Promise<Record<string, unknown>> {
  const error = await call.then(
    () => new Error('the call was accepted'),
    (reason: unknown) => reason,
  );
  if (error instanceof Error && 'data' in error) return { ...Object(error.data) };
  throw error;
}
