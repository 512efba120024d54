import { describe, expect, test } from 'vitest';
import type { AuditEntry, ChangeOutcome } from '../../domain/access/audit.ts';
import { ServiceError } from '../../domain/errors.ts';
import { anEvent, NOON } from '../../domain/service/event.testing.ts';
import type { TriggeredEvent } from '../../domain/service/event.ts';
import {
  type EventQuery,
  type TriggerItem,
  type TriggerResult,
  UNREADABLE_RESULT,
} from '../../domain/service/query.ts';
import { Payload } from '../../domain/text/payload.ts';
import { NO_OPTIONS } from '../../domain/triggers/trigger-plan.ts';
import { type TriggerCommand, triggerEvents } from './trigger-events.ts';

const command: TriggerCommand = {
  intent: 'intent-1',
  environment: 'production',
  actor: 'U1',
  channel: 'C0GENERAL',
  workflow: 'order-shipped',
  events: ['A-17', 'A-18'].map((orderId, index) => ({
    subscriberId: `user-${index + 1}`,
    payload: new Payload({ orderId }),
    profile: null,
  })),
  options: NO_OPTIONS,
  transactionId: null,
};

const processed: TriggerResult = { acknowledged: true, status: 'processed', errors: [], transactionId: null };

function triggering(answer: () => readonly TriggerResult[], known: readonly TriggeredEvent[] = []) {
  const requests: { items: readonly TriggerItem[]; key: string }[] = [];
  const claimed = new Set<string>();
  const closed: string[] = [];
  const noted: (readonly TriggerResult[])[] = [];
  const trail: (AuditEntry | ChangeOutcome)[] = [];
  let made = 0;
  const parts = {
    service: {
      triggerEvents: async (items: readonly TriggerItem[], { idempotencyKey }: { idempotencyKey: string }) => {
        requests.push({ items, key: idempotencyKey });
        return answer();
      },
      listEvents: async ({ transactionId }: EventQuery) => ({
        items: known.filter((event) => event.transactionId === transactionId),
        unreadable: [],
        hasMore: false,
      }),
    },
    store: {
      claimIntent: async ({ id }: { id: string }, entry: AuditEntry) =>
        !claimed.has(id) && Boolean(claimed.add(id)) && trail.push(entry) > 0,
      noteResults: async (_: string, results: readonly TriggerResult[]) => void noted.push(results),
      noteProgressMessage: async () => {},
      closeIntent: async (id: string) => void closed.push(id),
      settleChange: async (_: string, outcome: ChangeOutcome) => void trail.push(outcome),
    },
    logger: { debug() {}, info() {}, warn() {}, error() {} },
    now: () => NOON,
    newTransactionId: () => `notif-${++made}`,
  };
  return {
    requests,
    closed,
    noted,
    trail,
    parts,
    send: (change: Partial<TriggerCommand> = {}) => triggerEvents({ ...command, ...change }, parts),
  };
}

describe('sending a trigger', () => {
  test('sends one event per subscriber in one request, each with a transaction ID made beforehand', async () => {
    const { requests, send } = triggering(() => [processed, processed]);
    await send();
    expect(requests).toMatchObject([
      {
        key: 'intent-1',
        items: [
          { workflow: 'order-shipped', subscriberId: 'user-1', transactionId: 'notif-1', options: NO_OPTIONS },
          { workflow: 'order-shipped', subscriberId: 'user-2', transactionId: 'notif-2', options: NO_OPTIONS },
        ],
      },
    ]);
    expect(requests[0]?.items.map(({ payload }) => payload.forTrigger())).toEqual([
      { orderId: 'A-17' },
      { orderId: 'A-18' },
    ]);
  });

  test('uses the transaction ID of the person who asked', async () => {
    const { requests, send } = triggering(() => [processed]);
    await send({ events: command.events.slice(0, 1), transactionId: 'mine' });
    expect(requests[0]?.items[0]?.transactionId).toBe('mine');
  });

  test('sends nothing with a transaction ID that the service already knows', async () => {
    const { requests, closed, trail, send } = triggering(() => [processed], [anEvent({ transactionId: 'mine' })]);
    const sending = send({ events: command.events.slice(0, 1), transactionId: 'mine' });
    await expect(sending).rejects.toThrow('The service already has an event of transaction mine');
    expect([requests, closed, trail.at(-1)]).toEqual([[], ['intent-1'], { is: 'refused', why: 'refused' }]);
  });

  test('sends once however often a modal is submitted, with one trail entry', async () => {
    const { requests, trail, send } = triggering(() => [processed, processed]);
    expect(await Promise.all([send(), send(), send()])).toMatchObject([
      { sent: 'now' },
      { sent: 'before' },
      { sent: 'before' },
    ]);
    expect(requests).toHaveLength(1);
    expect(trail).toEqual([
      {
        at: NOON,
        actor: 'U1',
        channel: 'C0GENERAL',
        environment: 'production',
        change: { action: 'trigger', workflow: 'order-shipped', recipients: 2 },
        outcome: { is: 'begun' },
        intentId: 'intent-1',
      },
      { is: 'sent', accepted: 2, refused: 0 },
    ]);
  });

  test('matches results to rows by index, refusals with their reasons, and stores them', async () => {
    const { noted, trail, send } = triggering(() => [
      processed,
      { ...processed, status: 'trigger_not_active', errors: ['inactive'] },
    ]);
    expect(await send()).toMatchObject({
      recipients: [
        { row: 1, subscriberId: 'user-1', state: { is: 'awaited' } },
        {
          row: 2,
          subscriberId: 'user-2',
          state: { is: 'refused', status: 'trigger_not_active', errors: ['inactive'] },
        },
      ],
    });
    expect(noted).toEqual([[processed, { ...processed, status: 'trigger_not_active', errors: ['inactive'] }]]);
    expect(trail.at(-1)).toEqual({ is: 'sent', accepted: 1, refused: 1 });
  });

  test("leaves only the outcome of the recipient open whose result couldn't be read", async () => {
    const { trail, send } = triggering(() => [UNREADABLE_RESULT, { ...processed, status: 'invalid_recipients' }]);
    expect(await send()).toMatchObject({
      recipients: [{ state: { is: 'unclear', status: null } }, { state: { is: 'refused' } }],
    });
    expect(trail.at(-1)).toEqual({ is: 'unknown' });
  });

  test.each(['queued', 'accepted', 'workflow_not_found'])(
    "doesn't take a status that the contract doesn't have for a refusal: %s",
    async (status) => {
      const { trail, send } = triggering(() => [processed, { ...processed, status, errors: ['soon'] }]);
      expect(await send()).toMatchObject({
        recipients: [{ state: { is: 'awaited' } }, { state: { is: 'unclear', status, errors: ['soon'] } }],
      });
      expect(trail.at(-1)).toEqual({ is: 'unknown' });
    },
  );

  test("reads the contract's statuses in any case", async () => {
    const { trail, send } = triggering(() => [
      { ...processed, status: 'PROCESSED' },
      { ...processed, status: 'Invalid_Recipients' },
    ]);
    expect(await send()).toMatchObject({
      recipients: [{ state: { is: 'awaited' } }, { state: { is: 'refused', status: 'invalid_recipients' } }],
    });
    expect(trail.at(-1)).toEqual({ is: 'sent', accepted: 1, refused: 1 });
  });

  test("awaits every recipient if the answer was lost, and doesn't resend", async () => {
    const { requests, closed, trail, send } = triggering(() => {
      throw new ServiceError(
        'production',
        'triggerEvents',
        { kind: 'timed-out', afterMs: 10_000 },
        { outcomeUnknown: true },
      );
    });
    expect(await send()).toMatchObject({ isAnswerLost: true, recipients: [{ state: { is: 'awaited' } }, {}] });
    expect(requests).toHaveLength(1);
    expect(closed).toEqual([]);
    expect(trail.at(-1)).toEqual({ is: 'unknown' });
  });

  test("awaits every recipient after an error of Notif's own, too, because it may have been sent", async () => {
    const { closed, trail, send } = triggering(() => {
      throw new TypeError('unforeseen');
    });
    expect(await send()).toMatchObject({ isAnswerLost: true });
    expect([closed, trail.at(-1)]).toEqual([[], { is: 'unknown' }]);
  });

  test("throws the service's refusal even if it could not be recorded", async () => {
    const { parts } = triggering(() => {
      throw new ServiceError('production', 'triggerEvents', { kind: 'key-refused', status: 401 });
    });
    const settleChange = async () => {
      throw new Error('the store is away');
    };
    const sending = triggerEvents(command, { ...parts, store: { ...parts.store, settleChange } });
    await expect(sending).rejects.toThrow(ServiceError);
  });

  test('throws if nothing was sent for sure, and closes the intent', async () => {
    const { closed, trail, send } = triggering(() => {
      throw new ServiceError('production', 'triggerEvents', { kind: 'key-refused', status: 401 });
    });
    await expect(send()).rejects.toThrow(ServiceError);
    expect(closed).toEqual(['intent-1']);
    expect(trail.at(-1)).toEqual({ is: 'refused', why: 'key-refused' });
  });

  test('continues if the answer could not be recorded, since it was sent', async () => {
    const { parts } = triggering(() => [processed, processed]);
    const noteResults = async () => {
      throw new Error('the store is away');
    };
    const store = { ...parts.store, noteResults };
    expect(await triggerEvents(command, { ...parts, store })).toMatchObject({ sent: 'now', isAnswerLost: false });
  });
});
