import { describe, expect, test } from 'vitest';
import { ServiceError } from '../domain/errors.ts';
import { NOON } from '../domain/event.testing.ts';
import { Payload } from '../domain/payload.ts';
import type { TriggerItem, TriggerResult } from '../domain/query.ts';
import { type TriggerCommand, triggerEvents } from './trigger-events.ts';

const command: TriggerCommand = {
  intent: 'intent-1',
  environment: 'production',
  actor: 'U1',
  workflow: 'order-shipped',
  subscriberIds: ['user-1', 'user-2'],
  payload: new Payload({ orderId: 'A-17' }),
  transactionId: null,
};

const processed: TriggerResult = { acknowledged: true, status: 'processed', errors: [], transactionId: null };

function triggering(answer: () => readonly TriggerResult[]) {
  const requests: { items: readonly TriggerItem[]; key: string }[] = [];
  const claimed = new Set<string>();
  const closed: string[] = [];
  let made = 0;
  const parts = {
    service: {
      triggerEvents: async (items: readonly TriggerItem[], { idempotencyKey }: { idempotencyKey: string }) => {
        requests.push({ items, key: idempotencyKey });
        return answer();
      },
    },
    store: {
      claimIntent: async ({ id }: { id: string }) => !claimed.has(id) && Boolean(claimed.add(id)),
      noteProgressMessage: async () => {},
      closeIntent: async (id: string) => void closed.push(id),
    },
    logger: { debug() {}, info() {}, warn() {}, error() {} },
    now: () => NOON,
    newTransactionId: () => `notif-${++made}`,
  };
  return {
    requests,
    closed,
    send: (change: Partial<TriggerCommand> = {}) => triggerEvents({ ...command, ...change }, parts),
  };
}

describe('sending a trigger', () => {
  test('sends one event for each subscriber in one request, each with a transaction id made before', async () => {
    const { requests, send } = triggering(() => [processed, processed]);
    await send();
    expect(requests).toMatchObject([
      {
        key: 'intent-1',
        items: [
          { workflow: 'order-shipped', subscriberId: 'user-1', transactionId: 'notif-1' },
          { workflow: 'order-shipped', subscriberId: 'user-2', transactionId: 'notif-2' },
        ],
      },
    ]);
  });

  test('takes the transaction id of the person who asked', async () => {
    const { requests, send } = triggering(() => [processed]);
    await send({ subscriberIds: ['user-1'], transactionId: 'mine' });
    expect(requests[0]?.items[0]?.transactionId).toBe('mine');
  });

  test('sends once however often the same modal is submitted', async () => {
    const { requests, send } = triggering(() => [processed, processed]);
    expect(await Promise.all([send(), send(), send()])).toMatchObject([
      { sent: 'now' },
      { sent: 'before' },
      { sent: 'before' },
    ]);
    expect(requests).toHaveLength(1);
  });

  test('matches results by index, refusals with their reasons', async () => {
    const { send } = triggering(() => [
      processed,
      { ...processed, status: 'trigger_not_active', errors: ['inactive'] },
    ]);
    expect(await send()).toMatchObject({
      recipients: [
        { subscriberId: 'user-1', state: { is: 'awaited' } },
        { subscriberId: 'user-2', state: { is: 'refused', status: 'trigger_not_active', errors: ['inactive'] } },
      ],
    });
  });

  test('awaits every recipient when the answer was lost, and does not send again', async () => {
    const { requests, closed, send } = triggering(() => {
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
  });

  test('throws when nothing was sent for sure, and closes the intent', async () => {
    const { closed, send } = triggering(() => {
      throw new ServiceError('production', 'triggerEvents', { kind: 'key-refused', status: 401 });
    });
    await expect(send()).rejects.toThrow(ServiceError);
    expect(closed).toEqual(['intent-1']);
  });
});
