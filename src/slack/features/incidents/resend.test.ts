import type { ModalView } from '@slack/types';
import { expect, test, vi } from 'vitest';
import { explainCause } from '../../../causes/explain-cause.ts';
import { noteCondition } from '../../../incidents/conditions.ts';
import { startResend } from '../../../sendings/resend.ts';
import { resendChoices } from '../../../sendings/sending.testing.ts';
import { failureOf, recordFailures } from '../../../store/examples.testing.ts';
import { describeStore } from '../../../store/store.testing.ts';
import type { MessageContent } from '../../kit/message.ts';
import { aLine, anIncident, CTX, NOON, STAGING, wordsOf } from '../../slack.testing.ts';
import { openResend, resendFlow } from './resend.ts';
import { choicesView } from './resend-choices.ts';
import { restMessage } from './resend-rest.ts';

const KEPT = {
  intent: 'i',
  answerAt: null,
  channel: null,
  incidentId: 1,
  code: null,
  environment: 'production',
  upTo: null,
  choices: resendChoices({ limit: 10 }),
};

test('sending again takes an age up to what is stored, and refuses more workflows than its preview can keep', () => {
  const ctx = Object.assign(Object.create(null), { retentionDays: 30 });
  const [choose] = resendFlow(ctx).routes;
  if (choose?.surface !== 'view') throw new Error('its first route takes the form');
  const form = { privateMetadata: JSON.stringify(KEPT), blockIds: [] };
  const typed: Record<string, string> = { 'resend.age': '30d', 'resend.limit': '1,000' };
  const chosen = (count: number) => Array.from({ length: count }, (_, n) => `workflow-${n}`);
  const submit = (count: number) => {
    const valuesIn = (id: string) => (id === 'resend.workflows' ? chosen(count) : []);
    return choose.take({ ...form, valuesIn, valueIn: (id) => typed[id] ?? null, initialIn: () => null });
  };
  expect(submit(15).is).toBe('accepted');
  expect(submit(16)).toEqual({ is: 'invalid', errors: { 'resend.workflows': expect.stringContaining('at most 15') } });
  Object.assign(typed, { 'resend.age': '31d', 'resend.limit': '0' });
  expect(submit(1)).toMatchObject({
    errors: { 'resend.age': expect.stringContaining('at most 30d'), 'resend.limit': 'Give a number from 1 to 1,000.' },
  });
});

test.each([
  [1, /^1 notification failed since /m],
  [1_999, /^1,999 notifications to 1,998 people failed since /m],
  [2_000, /^At least 2,000 notifications to 1,999 people failed since /m],
])('the form for sending again counts what failed, with “At least” from 2,000 on: %d', (count, words) => {
  const broken = Array.from({ length: count }, (_, n) => ({
    eventKey: `event-${n}`,
    eventId: null,
    transactionId: `txn_${n}`,
    workflow: 'order-shipped',
    subscriberId: n === 0 ? null : `user-${n}`,
    createdAt: NOON,
    failedAt: NOON,
    sentAgain: null,
    failedAgainIn: null,
    labels: [],
  }));
  expect(wordsOf(choicesView(CTX, KEPT, { incident: anIncident(), events: broken }))).toMatch(words);
});

test('those who didn’t get what was sent again are listed with why', () => {
  const common = { subscriberId: 'user-1', row: 1, workflow: 'order-shipped' };
  const failed = {
    ...common,
    shownId: 'user-1',
    transactionId: 'resend-1',
    state: 'failed',
    why: 'Mailbox full',
  } as const;
  const shown = restMessage('production', [failed, { ...failed, shownId: 'user-2', state: 'sent', why: null }]);
  expect(wordsOf(shown).split('\n').slice(0, 4)).toEqual([
    '2 notifications without a delivery',
    'Subscriber | Outcome | Workflow | Details',
    'user-1 | 🔴 failed: Mailbox full | order-shipped | Look up',
    'user-2 | ⏳ in progress | order-shipped | Look up',
  ]);
});

describeStore('sending again', (store) => {
  /** What the form shows when it is opened. */
  async function opened(environments = CTX.environments): Promise<ModalView[]> {
    const shown: ModalView[] = [];
    const modal = { update: async (view: ModalView) => shown.push(view) };
    const ctx = { ...CTX, db: store().db, environments, explainCause, newId: () => 'i' };
    const interaction = { answerAt: null, channelId: null, openModal: async () => modal };
    const ref = { incidentId: 1, code: null };
    await openResend(Object.assign(Object.create(null), ctx), ref, Object.assign(Object.create(null), interaction));
    return shown;
  }

  test('is refused for an incident by which no notification failed', async () => {
    await recordFailures(store(), NOON, []);
    const condition = { kind: 'not-running', environment: 'production', workflow: null, headline: null } as const;
    const words = { causeText: "Notif wasn't running", causeKey: 'not-running', critical: false, gapId: null };
    await noteCondition(store().db, { ...condition, ...words, beganAt: NOON, lastAt: NOON }, NOON);
    expect((await opened()).map(wordsOf)).toEqual([expect.stringContaining('Nothing of #1 can be sent again')]);
  });

  test('refuses an incident whose environment is no longer configured before its form', async () => {
    await recordFailures(store(), NOON, [failureOf('a')]);
    const shown = await opened([STAGING]);
    expect(shown.map(wordsOf)).toEqual([expect.stringContaining('There is no environment production.')]);
    expect(shown[0]?.callback_id).toBeUndefined();
  });

  test('is refused once all was sent again or is no failure any more, with why', async () => {
    await recordFailures(store(), NOON, [failureOf('a', { eventKey: 'e1' }), failureOf('a', { eventKey: 'e2' })]);
    const { db } = store();
    const sent = { workflow: 'order-shipped', subscriberId: 'user-1' };
    const toSend = ['e1', 'e2'].map((eventKey) => ({ ...sent, eventKey }));
    const command = { ...KEPT, intent: 'i', actor: 'U1', channel: null, toSend };
    await startResend(Object.assign(Object.create(null), { ...CTX, db }), command);
    const refused = 'Nothing of #1 can be sent again: ';
    expect((await opened()).map(wordsOf)).toEqual([expect.stringContaining(`${refused}2 being sent again now.`)]);
    await db.write('DELETE FROM failures');
    expect((await opened()).map(wordsOf)).toEqual([expect.stringContaining(`${refused}none of its failures is kept`)]);
  });

  test.each([[['#1', 'stop']], [['STOP', '#1']]])('is stopped by the word in either place: %j', async (words) => {
    await recordFailures(store(), NOON, [failureOf('a')]);
    const show = vi.fn(async (_content: MessageContent) => {});
    const ctx = { ...CTX, db: store().db, wakeOutbox: async () => {} };
    const interaction = { ...Object.create(null), userId: 'U1', reply: { show } };
    const [resend] = resendFlow(Object.assign(Object.create(null), ctx)).commands;
    await resend?.answer(aLine({ words }), interaction);
    expect(show.mock.calls.map(([content]) => wordsOf(content)).join()).toContain('#1 broke is being sent again');
  });
});
