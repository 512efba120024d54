import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { Faults } from '../../sandbox/notification-service/faults.ts';
import { everyRowIn, textOf, textsWith } from '../support/evidence.ts';
import { openWorldAsleep, POLLS_ONCE, type World } from '../support/world.ts';

/** What ann types, field by field. No two end in the same characters. */
const TYPED = {
  'Webhook URL': 'https://hooks.chat.example/services/T0TYPED/B0TYPED/webhook-Qw3rTy81',
  'Device tokens': 'token-by-hand-one-As5dFg63\ntoken-by-hand-two-Hj7kLp54',
};
const OTHERS = {
  channel: 'channel-by-hand-Zx9cVb72',
  alertUid: 'alert-uid-by-hand-Er4tYu45',
  title: 'title-by-hand-Op6aSd36',
  imageUrl: 'https://images.example/by-hand-Fg8hJk27',
  state: 'state-by-hand-Lz2xCv18',
  externalUrl: 'https://external.example/by-hand-Bn3mQw09',
};
const TOKENS = TYPED['Device tokens'].split('\n');
const SECRETS = [TYPED['Webhook URL'], ...TOKENS, ...Object.values(OTHERS)];

const FIELDS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  discord: { 'Webhook URL': TYPED['Webhook URL'] },
  'grafana-on-call': { 'Webhook URL': TYPED['Webhook URL'], Others: JSON.stringify(OTHERS) },
  fcm: { 'Device tokens': TYPED['Device tokens'] },
};

/** Returns a response of a service that repeats everything in the request. */
function echo(typed: readonly string[]): string {
  return JSON.stringify({
    statusCode: 422,
    path: `/v1/subscribers/user-1/credentials?token=${typed.join('&')}`,
    message: typed.map((value) => `${value} is not allowed`),
    errors: { 'credentials.deviceTokens.0': { messages: typed, value: typed } },
  });
}

function troubles(typed: readonly string[]): readonly Parameters<Faults['set']>[1][] {
  return [
    { kind: 'words', status: 422, body: echo(typed) },
    { kind: 'words', status: 400, body: echo(typed) },
    { kind: 'words', status: 200, body: echo(typed) },
    { kind: 'words', status: 502, body: `<html>${typed.join(' ')}</html>`, contentType: 'text/html' },
    { kind: 'status', status: 401 },
    { kind: 'lost answer' },
    { kind: 'reset' },
  ];
}

describe('typed credentials', () => {
  let world: World;
  let kept: readonly string[];
  const modals: string[] = [];

  beforeAll(async () => {
    world = await openWorldAsleep({ database: 'server', variables: POLLS_ONCE });
    await world.start();
    for (const provider of Object.keys(FIELDS)) await update(provider);
    for (const fault of troubles(TOKENS)) await meet(fault, 'fcm');
    const quoting = echo([TYPED['Webhook URL'], ...Object.values(OTHERS)]);
    await meet({ kind: 'words', status: 422, body: quoting }, 'grafana-on-call');
    await typeNonsense();
    await meetTroubleAtSlack();
    await world.ann.asks('/notif audit');
    await world.stop();
    kept = await everyRowIn(world.variables.DATABASE_URL);
  });
  afterAll(() => world.close());

  /** Collects everything in modals that Slack stores for the bot, private metadata included. */
  function remember(): void {
    modals.push(
      ...world.slack.workspace
        .as(world.ann.id)
        .views()
        .map((view) => JSON.stringify(view)),
    );
  }

  async function fillIn(provider: string): Promise<void> {
    const { ann } = world;
    await ann.types('/notif credentials user-1');
    await ann.seesModal('New credentials of');
    await ann.fillsIn({ Provider: provider, ...FIELDS[provider] });
  }

  async function update(provider: string): Promise<void> {
    const { ann } = world;
    await fillIn(provider);
    remember();
    await ann.submits();
    remember();
    await vi.waitFor(() => expect(ann.modal()?.words).not.toContain('Updating …'), { timeout: 60_000 });
    remember();
  }

  async function meet(fault: Parameters<Faults['set']>[1], provider: string): Promise<void> {
    world.service.faults.set('updateCredentials', fault, { times: 1 });
    await update(provider);
  }

  async function typeNonsense(): Promise<void> {
    const { ann } = world;
    await fillIn('fcm');
    await ann.fillsIn({ 'Device tokens': SECRETS.join(' ') });
    const errors = await ann.submits();
    expect(errors).toHaveLength(1);
    expect(textsWith(SECRETS, errors)).toEqual([]);
  }

  async function meetTroubleAtSlack(): Promise<void> {
    const { ann, slack } = world;
    await fillIn('fcm');
    slack.faults.next('views.update', { kind: 'error', error: 'internal_error' });
    await ann.submits();
    await ann.gets('updated in production');
  }

  test('reach the service whole', () => {
    const bodies = world.service.requests.map(({ body }) => JSON.stringify(body ?? null));
    for (const secret of SECRETS) expect(textsWith([secret], bodies)).not.toEqual([]);
  });

  test('reach Slack in no message and no modal, private metadata included', () => {
    expect(modals.length).toBeGreaterThan(20);
    expect(textsWith(SECRETS, modals)).toEqual([]);
    expect(textsWith(SECRETS, world.slack.calls.all().map(textOf))).toEqual([]);
  });

  test('are in no line of the log at its most verbose level', () => {
    const lines = world.log.saying('').map((line) => JSON.stringify(line));
    expect(lines.filter((line) => line.includes('"operation":"updateCredentials"'))).not.toEqual([]);
    expect(textsWith(SECRETS, lines)).toEqual([]);
  });

  test('are in no row of the database', () => {
    expect(kept.filter((row) => row.startsWith('public.audit '))).toHaveLength(12);
    expect(textsWith(SECRETS, kept)).toEqual([]);
  });
});
