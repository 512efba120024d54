import { describe, expect, test } from 'vitest';
import type { AuditEntry, ChangeOutcome } from '../audit/entry.ts';
import { ServiceError } from '../lib/errors.ts';
import { Payload } from '../lib/text/payload.ts';
import { anEvent, NO_OPTIONS, NOON } from '../service/event.testing.ts';
import type { TriggeredEvent } from '../service/event.ts';
import type { EventQuery } from '../service/query.ts';
import { type TriggerItem, type TriggerResult, UNREADABLE_RESULT } from '../service/trigger.ts';
import { sendTrigger, type TriggerCommand, type TriggerCtx } from './send.ts';
import { aTriggerCtx } from './trigger.testing.ts';

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

const OWN_ID = { events: command.events.slice(0, 1), transactionId: 'mine' };
const processed: TriggerResult = { acknowledged: true, status: 'processed', errors: [], transactionId: null };
const REFUSED = new ServiceError('production', 'triggerEvents', { kind: 'key-refused', status: 401 });

function triggering(
  answer: readonly TriggerResult[] | Error,
  { known = [], isAway = false }: { readonly known?: readonly TriggeredEvent[]; readonly isAway?: boolean } = {},
) {
  const requests: { items: readonly TriggerItem[]; key: string }[] = [];
  const claimed = new Set<string>();
  const closed: string[] = [];
  const noted: (readonly TriggerResult[])[] = [];
  const trail: (AuditEntry | ChangeOutcome)[] = [];
  const kept = () => {
    if (isAway) throw new Error('the store is away');
  };
  const said: string[] = [];
  const says = (_fields: object, sentence: string): void => void said.push(sentence);
  const base = aTriggerCtx();
  const ctx: TriggerCtx = {
    ...base,
    serviceOf: () => ({
      ...base.service,
      triggerEvents: async (items: readonly TriggerItem[], { idempotencyKey }: { idempotencyKey: string }) => {
        requests.push({ items, key: idempotencyKey });
        if (answer instanceof Error) throw answer;
        return answer;
      },
      listEvents: async ({ transactionId }: EventQuery) => ({
        items: known.filter((event) => event.transactionId === transactionId),
        unreadable: [],
        hasMore: false,
      }),
    }),
    store: {
      triggers: {
        ...base.triggers,
        claimIntent: async ({ id }: { id: string }, entry: AuditEntry) =>
          !claimed.has(id) && Boolean(claimed.add(id)) && trail.push(entry) > 0,
        noteResults: async (_: string, results: readonly TriggerResult[]) => {
          kept();
          noted.push(results);
        },
        closeIntent: async (id: string) => void closed.push(id),
      },
      audit: {
        settleChange: async (_: string, outcome: ChangeOutcome) => {
          kept();
          trail.push(outcome);
        },
      },
    },
    reporter: { open: async () => null, update: async () => 'done' },
    logger: { debug: says, info: says, warn: says, error: says },
  };
  const send = (change: Partial<TriggerCommand> = {}) => sendTrigger(ctx, { ...command, ...change });
  return { requests, closed, noted, trail, said, send };
}

describe('sending a trigger', () => {
  test('sends one event per subscriber in one request, each with a transaction ID made beforehand', async () => {
    const { requests, send } = triggering([processed, processed]);
    await send();
    const common = { workflow: 'order-shipped', options: NO_OPTIONS };
    expect(requests).toMatchObject([
      {
        key: 'intent-1',
        items: [
          { ...common, subscriberId: 'user-1', transactionId: 'notif-1' },
          { ...common, subscriberId: 'user-2', transactionId: 'notif-2' },
        ],
      },
    ]);
    const payloads = requests[0]?.items.map(({ payload }) => payload.forTrigger());
    expect(payloads).toEqual([{ orderId: 'A-17' }, { orderId: 'A-18' }]);
  });

  test('uses the transaction ID of the person who asked, unless the service already knows it', async () => {
    const { requests, send } = triggering([processed]);
    await send(OWN_ID);
    expect(requests[0]?.items[0]?.transactionId).toBe('mine');
    const again = triggering([processed], { known: [anEvent({ transactionId: 'mine' })] });
    await expect(again.send(OWN_ID)).rejects.toThrow('The service already has an event of transaction mine');
    expect([again.requests, again.closed, again.trail.at(-1)]).toEqual([
      [],
      ['intent-1'],
      { is: 'refused', why: 'refused' },
    ]);
  });

  test('sends once however often a modal is submitted, with one trail entry', async () => {
    const { requests, trail, send } = triggering([processed, processed]);
    const [first, ...others] = await Promise.all([send(), send(), send()]);
    expect(first?.intent.id).toBe('intent-1');
    expect(others).toEqual([null, null]);
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
    const results = [processed, { ...processed, status: 'Trigger_not_active', errors: ['inactive'] }];
    const { noted, trail, send } = triggering(results);
    expect((await send())?.recipients).toMatchObject([
      { row: 1, subscriberId: 'user-1', state: { is: 'awaited' } },
      { row: 2, subscriberId: 'user-2', state: { is: 'refused', status: 'trigger_not_active', errors: ['inactive'] } },
    ]);
    expect(noted).toEqual([results]);
    expect(trail.at(-1)).toEqual({ is: 'sent', accepted: 1, refused: 1 });
  });

  test.each([
    [UNREADABLE_RESULT, null],
    [{ ...processed, status: 'workflow_not_found' }, 'workflow_not_found'],
  ])('leaves open what an unknown or unreadable result means: %j', async (result, status) => {
    const { trail, send } = triggering([processed, result]);
    const states = (await send())?.recipients.map(({ state }) => state);
    expect(states).toMatchObject([{ is: 'awaited' }, { is: 'unclear', status }]);
    expect(trail.at(-1)).toEqual({ is: 'unknown' });
  });

  test.each([
    new ServiceError('production', 'triggerEvents', { kind: 'timed-out', afterMs: 9 }, { outcomeUnknown: true }),
    new TypeError("unforeseen, of Notif's own"),
  ])("awaits every recipient if the answer was lost, and doesn't resend: %s", async (error) => {
    const { requests, closed, trail, send } = triggering(error);
    expect(await send()).toMatchObject({ isAnswerLost: true, recipients: [{ state: { is: 'awaited' } }, {}] });
    expect([requests.length, closed, trail.at(-1)]).toEqual([1, [], { is: 'unknown' }]);
  });

  test('throws if nothing was sent for sure, and closes the intent', async () => {
    const { closed, trail, said, send } = triggering(REFUSED);
    await expect(send()).rejects.toThrow(ServiceError);
    expect(closed).toEqual(['intent-1']);
    expect(said).not.toContain('trigger sent');
    expect(trail.at(-1)).toEqual({ is: 'refused', why: 'key-refused' });
  });

  test("says what the service answered even if it couldn't be written down", async () => {
    await expect(triggering(REFUSED, { isAway: true }).send()).rejects.toThrow(ServiceError);
    const sent = await triggering([processed, processed], { isAway: true }).send();
    expect(sent?.isAnswerLost).toBe(false);
  });
});
