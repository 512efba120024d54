import { expect, vi } from 'vitest';
import type { Faults } from '../../sandbox/service/faults.ts';
import { textsWith } from './evidence.ts';
import type { World } from './world.ts';

/** Ann types these as credentials. No two end in the same characters, by which they are searched for. */
export const CREDENTIALS = [
  'https://hooks.chat.example/services/T0TYPED/B0TYPED/webhook-Qw3rTy81',
  'channel-by-hand-Zx9cVb72',
  'token-by-hand-one-As5dFg63',
  'token-by-hand-two-Hj7kLp54',
] as const;
const [WEBHOOK, CHANNEL, ...TOKENS] = CREDENTIALS;

const FILLED_IN = {
  mattermost: { 'Webhook URL': WEBHOOK, Channel: CHANNEL },
  fcm: { 'Device tokens': TOKENS.join('\n') },
};

/** The answer of a service that repeats everything in the request. */
function echo(...typed: readonly string[]): string {
  return JSON.stringify({
    statusCode: 422,
    path: `/v1/subscribers/user-1/credentials?token=${typed.join('&')}`,
    message: typed.map((value) => `${value} is not allowed`),
    errors: { 'credentials.deviceTokens.0': { messages: typed, value: typed } },
  });
}

/** The provider whose credentials are typed, and the service's fault, or null if it takes them. */
const UPDATES: readonly (readonly [provider: keyof typeof FILLED_IN, fault: Parameters<Faults['set']>[1] | null])[] = [
  ['mattermost', null],
  ['fcm', null],
  ['mattermost', { kind: 'body', status: 422, body: echo(WEBHOOK, CHANNEL) }],
  ['fcm', { kind: 'body', status: 422, body: echo(...TOKENS) }],
  ['fcm', { kind: 'body', status: 200, body: echo(...TOKENS) }],
  ['fcm', { kind: 'body', status: 502, body: `<html>${TOKENS.join(' ')}</html>`, contentType: 'text/html' }],
  ['fcm', { kind: 'status', status: 401 }],
  ['fcm', { kind: 'lost answer' }],
  ['fcm', { kind: 'reset' }],
];

export async function giveCredentials({ ann, service: { faults, requests }, slack }: World): Promise<void> {
  const fill = async (provider: keyof typeof FILLED_IN) => {
    await ann.types('/notif credentials user-1');
    await ann.seesModal('New credentials of');
    await ann.fillsIn({ Provider: provider, ...FILLED_IN[provider] });
  };
  /** Searches the views that Slack keeps: no call has those that a submission's acknowledgment draws. */
  const findNothingKept = () => {
    const views = slack.workspace.as(ann.id).views();
    const texts = views.map((view) => JSON.stringify(view));
    expect([texts.length > 0, textsWith(CREDENTIALS, texts)]).toEqual([true, []]);
  };
  for (const [provider, fault] of UPDATES) {
    await fill(provider);
    findNothingKept();
    if (fault !== null) faults.set('updateCredentials', fault, { times: 1 });
    await ann.submits();
    findNothingKept();
    await vi.waitFor(() => expect(ann.modal()?.words).not.toContain('Updating …'), { timeout: 60_000 });
    findNothingKept();
  }
  // The service got all of them.
  const bodies = requests.map(({ body }) => JSON.stringify(body ?? null));
  expect(CREDENTIALS.filter((each) => textsWith([each], bodies).length === 0)).toEqual([]);
  await fill('fcm');
  await ann.fillsIn({ 'Device tokens': CREDENTIALS.join(' ') });
  const errors = await ann.submits();
  expect([errors.length, textsWith(CREDENTIALS, errors)]).toEqual([1, []]);
  await fill('fcm');
  slack.faults.next('views.update', { kind: 'error', error: 'internal_error' });
  await ann.submits();
  await ann.gets('updated in production');
  await ann.asks('/notif audit');
}
