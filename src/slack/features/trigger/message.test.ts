import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { clientOf, startSlack } from '../../../../sandbox/slack/local-slack.testing.ts';
import type { LocalSlack } from '../../../../sandbox/slack/server.ts';
import { judge } from '../../../failures/judge.ts';
import { ServiceError } from '../../../lib/errors.ts';
import { Payload } from '../../../lib/text/payload.ts';
import { aDetail, aJob, anEvent, at, NO_OPTIONS, NOON } from '../../../service/event.testing.ts';
import type { TriggeredEvent } from '../../../service/event.ts';
import type { Recipient, TriggerProgress } from '../../../triggers/send.ts';
import { expectFit, HOSTILE, PRODUCTION, wordsOf } from '../../slack.testing.ts';
import { againBlocks, createProgressReporter, progressMessage, whyNothingWasSent } from './message.ts';

function to(subscriberId: string, state: Recipient['state'], row = 1): Recipient {
  return { row, subscriberId, transactionId: `txn_${subscriberId}`, state };
}

function seen(event: TriggeredEvent): Recipient['state'] {
  return { is: 'seen', event, judgement: judge(event, at(60)) };
}

const AWAITED = { is: 'awaited' } as const;
const FAILED = anEvent({
  jobs: [aJob({ type: 'email', status: 'failed', details: [aDetail({ detail: 'Mailbox full' })] })],
});

function progress(recipients: readonly Recipient[], change: Partial<TriggerProgress> = {}): TriggerProgress {
  const intent = {
    id: 'intent-1',
    environment: 'production',
    actor: 'U0ANN',
    workflow: 'order-shipped',
    recipients: [],
  };
  const begun = {
    intent,
    sentAt: NOON,
    isAnswerLost: false,
    phase: 'following',
    trouble: null,
  } as const;
  return { ...begun, recipients, ...change };
}

function words(state: TriggerProgress): string {
  return wordsOf(progressMessage(state, PRODUCTION));
}

describe('the progress of a trigger', () => {
  test('shows how far each recipient is, those in trouble first', () => {
    const message = progressMessage(
      progress([
        to('user-1', seen(anEvent()), 1),
        to('user-2', seen(FAILED), 2),
        to('user-3', seen(anEvent({ jobs: [aJob({ status: 'queued' })] })), 3),
        to('user-4', AWAITED, 4),
        to('user-5', { is: 'refused', why: "the workflow isn't active", errors: [] }, 5),
      ]),
      PRODUCTION,
    );
    expect(wordsOf(message).split('\n')).toEqual([
      '⏳ Test of order-shipped in production · 3 of 5 done',
      'Subscriber | Outcome | Row',
      'user-2 | 🔴 failed: Email · SendGrid, Mailbox full | 2',
      "user-5 | 🔴 not sent: the workflow isn't active | 5",
      'user-3 | ⏳ in progress: email queued | 3',
      'user-4 | ⏳ waiting to be listed | 4',
      'user-1 | ✅ delivered: email | 1',
      '🔴 1 failed · 🔴 1 not sent · ⏳ 1 in progress · ⏳ 1 waiting to be listed · ✅ 1 delivered',
      'by <@U0ANN>, 2026-03-04 12:00 UTC',
      'Look up …',
      'user-1',
    ]);
    expectFit(message);
  });

  test("doesn't call a recipient delivered if a part that may hold a failure couldn't be read", () => {
    const odd = seen(anEvent({ mayHideFailures: true }));
    const one = words(progress([to('user-1', odd)], { phase: 'finished' }));
    expect(one).toContain('❔ Test of order-shipped in production · done');
    expect(one).toContain("❔ user-1 outcome not shown: a part that may hold a failure couldn't be read · txn_user-1");
    const several = [to('user-1', seen(anEvent()), 1), to('user-2', odd, 2)];
    const lines = words(progress(several, { phase: 'finished' })).split('\n');
    expect(lines[0]).toBe('❔ Test of order-shipped in production · 2 of 2 done');
    expect(lines).toContain('❔ 1 outcome not shown · ✅ 1 delivered');
    const failed = [...several, to('user-3', seen(FAILED), 3)];
    expect(words(progress(failed, { phase: 'finished' }))).toContain('🔴 Test of order-shipped');
  });

  test("lists all of the service's errors about a recipient, within bounds", () => {
    const errors = ['no tenant', 'no integration', ...Array.from({ length: 8 }, (_, n) => `error ${n}`)];
    expect(words(progress([to('user-1', { is: 'refused', why: 'the service reports an error', errors })]))).toContain(
      'not sent: the service reports an error: no tenant; no integration; error 0; error 1; error 2; error 3',
    );
    const huge = Array.from({ length: 20 }, () => HOSTILE.repeat(50));
    expectFit(
      progressMessage(
        progress([to('u', { is: 'refused', why: 'the service reports an error', errors: huge })]),
        PRODUCTION,
      ),
    );
  });

  test.each<[TriggerProgress['phase'], Recipient['state'], string]>([
    ['following', AWAITED, 'may have gone through. Notif looks, and resends nothing.'],
    ['finished', seen(FAILED), 'No clear answer from the service, but everything went through.'],
    ['out-of-time', AWAITED, 'may have gone through.'],
  ])('says what is known after a lost answer: %s', (phase, state, note) => {
    const lines = words(progress([to('user-1', state)], { isAnswerLost: true, phase }));
    expect(lines).toContain(note);
    expect(lines.includes('Later: /notif event txn_user-1 env:production')).toBe(phase === 'out-of-time');
  });

  test.each(['user', HOSTILE, '&'.repeat(255)])('lists as many of a hundred as fit: %#', (name) => {
    const recipients = Array.from({ length: 100 }, (_, n) =>
      to(`${name}${n}`, n % 2 === 0 ? seen(FAILED) : AWAITED, n + 1),
    );
    const message = progressMessage(progress(recipients), PRODUCTION);
    expect(wordsOf(message)).toContain('50 of 100 done');
    expect(wordsOf(message)).toContain('🔴 50 failed · ⏳ 50 waiting to be listed');
    expectFit(message);
  });
});

test('a refusal shows the rows that the service names', () => {
  const events = ['user-1', 'user-2', 'user-3'].map((subscriberId) => ({
    subscriberId,
    payload: new Payload({}),
    profile: null,
  }));
  const plan = { environment: 'production', workflow: 'w', events, options: NO_OPTIONS };
  const refusal = (fields: string[]) =>
    new ServiceError('production', 'triggerEvents', { kind: 'refused', status: 422, message: '', fields });
  const error = refusal(['events.1.to', 'events.2.payload', 'events.2.to', 'events']);
  expect(`${whyNothingWasSent(error, plan)}`).toBe(
    'Nothing was sent. It objects to row 2 (`user-2`), row 3 (`user-3`).',
  );
  expect(`${whyNothingWasSent(refusal([]), plan)}`).toBe('Nothing was sent.');
});

test('an event that is sent again names the channels that deliver it once more', () => {
  const sent = { workflow: 'order-shipped', subscriberId: 'user-1', environment: PRODUCTION };
  const delivered = [
    { channel: 'email', provider: 'sendgrid' },
    { channel: 'in_app', provider: null },
  ];
  const words = wordsOf({ blocks: againBlocks(sent, delivered) });
  expect(words).toContain('Send order-shipped to user-1 again in production');
  expect(words).toContain('Already delivered, and delivered once more by this: Email · SendGrid, In-app.');
  expect(wordsOf({ blocks: againBlocks(sent, []) })).not.toContain('Already delivered');
});

const awaited: Recipient = { row: 1, subscriberId: 'user-1', transactionId: 'txn-1', state: AWAITED };

describe('the progress of a test in direct messages', () => {
  let slack: LocalSlack;
  beforeAll(async () => {
    slack = await startSlack();
  });
  afterAll(() => slack.close());
  beforeEach(() => slack.faults.clear());

  function reporter() {
    const client = clientOf(slack);
    const logger = { debug() {}, info() {}, warn() {}, error() {} };
    return createProgressReporter(client, client, [PRODUCTION], logger);
  }

  test("is refused for good if the person's direct messages are off", async () => {
    slack.faults.always('chat.postMessage', { kind: 'error', error: 'messages_tab_disabled' });
    expect(await reporter().open(progress([awaited]))).toBeNull();
  });

  test('may be taken later if Slack has a problem of its own', async () => {
    slack.faults.next('chat.postMessage', { kind: 'error', error: 'service_unavailable' });
    await expect(reporter().open(progress([awaited]))).rejects.toThrow('service_unavailable');
  });

  test.each([
    ['service_unavailable', 'later'],
    ['message_not_found', 'done'],
  ])('is still to be shown after an edit that failed with %s: %s', async (error, outcome) => {
    const { open, update } = reporter();
    const message = (await open(progress([awaited]))) ?? { channel: '', ts: '' };
    slack.faults.next('chat.update', { kind: 'error', error });
    expect(await update(message, progress([awaited], { phase: 'out-of-time' }))).toBe(outcome);
    expect(await update(message, progress([awaited], { phase: 'out-of-time' }))).toBe('done');
  });
});
