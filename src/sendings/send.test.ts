import { beforeEach, expect, test } from 'vitest';
import { auditEntries } from '../audit/audit.ts';
import { changesSince } from '../changes/changes.ts';
import { silent } from '../lib/logger.testing.ts';
import { createSeal } from '../lib/seal.ts';
import { Payload } from '../lib/text/payload.ts';
import { slackMessages as messages } from '../outbox/tables.ts';
import { aService } from '../service/client.testing.ts';
import { aFailedEvent, aJob, anEvent, aSubscriber, at, NO_OPTIONS, NOON } from '../service/event.testing.ts';
import type { TriggeredEvent } from '../service/event.ts';
import { ServiceError } from '../service/service-error.ts';
import type { TriggerItem, TriggerResult } from '../service/trigger.ts';
import { openedEnvironment, reading, record, trackedEvent } from '../store/examples.testing.ts';
import { describeStore } from '../store/store.testing.ts';
import { progressOf } from './progress.ts';
import { sendTrigger, type TriggerCommand } from './send.ts';
import { continueSendings } from './sending-loop.ts';
import type { SendCtx } from './sending-rows.ts';
import { triggers } from './tables.ts';

const COMMAND: TriggerCommand = {
  intent: 'intent-1',
  environment: 'production',
  actor: 'U1',
  channel: 'C0GENERAL',
  workflow: 'order-shipped',
  eventKey: null,
  events: ['A-17', 'A-18'].map((orderId, index) => ({
    subscriberId: `user-${index + 1}`,
    payload: new Payload({ orderId }),
    profile: null,
  })),
  options: NO_OPTIONS,
};

const processed: TriggerResult = { status: 'processed', errors: [] };
const REFUSED = new ServiceError('production', 'triggerEvents', { kind: 'key-refused', status: 401 });
const TIMED_OUT = { kind: 'timed-out' } as const;
const OUTCOME_UNKNOWN = new ServiceError('production', 'triggerEvents', TIMED_OUT, { outcomeUnknown: true });
const to = (n: number) => ({
  transactionId: `notif-${n}`,
  subscriber: aSubscriber(`user-${n}`),
});

describeStore('a sent test', (store) => {
  let answer: readonly TriggerResult[] | Error;
  let events: readonly TriggeredEvent[] | Error;
  let requests: { items: readonly TriggerItem[]; key: string }[];
  let now: Date;
  let ctx: SendCtx;

  beforeEach(() => {
    answer = [processed, processed];
    events = [anEvent(to(1)), anEvent(to(2))];
    requests = [];
    now = NOON;
    let made = 0;
    const service = aService({
      async *eventPages() {
        if (events instanceof Error) throw events;
        yield { items: [...events], unreadable: [], hasMore: false };
      },
      triggerEvents: async (items, { idempotencyKey: key }) => {
        requests.push({ items, key });
        if (answer instanceof Error) throw answer;
        return answer;
      },
    });
    ctx = {
      db: store().db,
      seal: createSeal('xoxb-secret'),
      serviceOf: () => service,
      logger: silent,
      now: () => now,
      newId: () => `notif-${++made}`,
      wakeOutbox: async () => {},
    };
  });

  const send = () => sendTrigger(ctx, COMMAND);
  const follow = () => continueSendings(ctx, new AbortController().signal);
  const states = async () => {
    const { tested } = await progressOf(store().db, { id: 'intent-1', incidentId: null });
    return tested.toSorted((a, b) => a.row - b.row).map(({ state, why }) => [state, why].filter(Boolean).join(': '));
  };
  async function trail() {
    const query = { since: at(-1_000_000), environments: [], olderThan: null, limit: 9 };
    return (await auditEntries(store().db, query)).items;
  }
  const outcome = async () => (await trail())[0]?.outcome;

  test('is sent once however often its form is submitted, with one entry in the audit trail', async () => {
    const sent = await Promise.all([send(), send(), send()]);
    expect([sent.filter((items) => items !== null).length, requests.length]).toEqual([1, 1]);
    const { intent: intentId, actor, channel, environment } = COMMAND;
    const change = { action: 'trigger', workflow: 'order-shipped', recipients: 2 };
    const outcome = { is: 'sent', accepted: 2, refused: 0 };
    expect(await trail()).toMatchObject([{ at: NOON, actor, channel, environment, change, outcome, intentId }]);
  });

  test('matches results to rows by index, refusals with their reasons', async () => {
    answer = [processed, { ...processed, status: 'trigger_not_active', errors: ['inactive', 'no'] }];
    await send();
    expect(await states()).toEqual([
      'sent',
      expect.stringMatching(/^refused: the workflow isn't active.*: inactive: no$/),
    ]);
    expect(await outcome()).toEqual({ is: 'sent', accepted: 1, refused: 1 });
  });

  test.each([
    ['an unreadable result', [processed, { status: 'unreadable', errors: [] }]],
    ['an unknown status', [processed, { ...processed, status: 'queued', errors: ['why'] }]],
    ['no answer in time', OUTCOME_UNKNOWN],
    ['an error in Notif itself', new TypeError('unforeseen')],
  ])('without a clear answer is looked for, never resent, and unclear if not found: %s', async (_, unclear) => {
    answer = unclear;
    events = [];
    await send();
    expect([(await states())[1], await outcome()]).toEqual(['sending', { is: 'unknown' }]);
    now = at(120);
    await follow();
    expect([(await states())[1], requests.length]).toEqual(['sending', 1]);
    now = at(900);
    await follow();
    expect([(await states())[1], await outcome()]).toEqual(['unclear', { is: 'unknown' }]);
  });

  test('shows that its workflow was deleted, if the service had it before', async () => {
    const seen = reading({ trackedEvents: [trackedEvent({ eventKey: 'event-1', createdAt: at(-60) })] });
    await record(store(), await openedEnvironment(store()), seen, at(-30));
    answer = Array.from({ length: 2 }, () => ({ status: 'error', errors: ['workflow_not_found'] }));
    await send();
    const query = { since: at(-60), environments: ['production'], olderThan: null, limit: 9 };
    expect((await changesSince(store().db, query)).items).toMatchObject([
      { at: NOON, notBefore: at(-60), what: { identifier: 'order-shipped', aspects: ['deleted'] } },
    ]);
  });

  test('leaves nothing but its entry in the audit trail if the service refused it', async () => {
    answer = REFUSED;
    await expect(send()).rejects.toThrow(ServiceError);
    const left = [await store().db.select().from(triggers), await store().db.select().from(messages)];
    expect([...left, await outcome()]).toEqual([[], [], { is: 'refused', why: 'key-refused' }]);
  });

  test("is followed until every event is final, also after the service couldn't be read", async () => {
    answer = OUTCOME_UNKNOWN;
    events = new ServiceError('production', 'listEvents', { kind: 'unreachable' });
    await send();
    await follow();
    events = [anEvent({ ...to(1), jobs: [aJob({ status: 'queued' })] }), aFailedEvent(to(2))];
    await follow();
    expect(await states()).toEqual(['sent', expect.stringMatching(/^failed: email: /)]);
    events = [anEvent(to(1))];
    await follow();
    expect(await states()).toEqual(['delivered: email', expect.stringMatching(/^failed: email: /)]);
    expect(await outcome()).toEqual({ is: 'sent', accepted: 2, refused: 0 });
  });
});
