import { createHmac } from 'node:crypto';

/** Returns the headers that prove to a bot that a request is from Slack: `v0=` and HMAC-SHA256 over `v0:<seconds>:<body>`. */
export function signatureHeaders(body: string, signingSecret: string, atMs: number): Readonly<Record<string, string>> {
  const seconds = String(Math.floor(atMs / 1000));
  const digest = createHmac('sha256', signingSecret).update(`v0:${seconds}:${body}`).digest('hex');
  return { 'x-slack-request-timestamp': seconds, 'x-slack-signature': `v0=${digest}` };
}
