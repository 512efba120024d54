import { beforeEach, describe, expect, test } from 'vitest';
import { auditEntries } from '../audit/audit.ts';
import { ServiceError } from '../lib/errors.ts';
import { createSeal } from '../lib/seal.ts';
import { Payload } from '../lib/text/payload.ts';
import { anEvent, at, NO_OPTIONS, NOON } from '../service/event.testing.ts';
import type { TriggeredEvent } from '../service/event.ts';
import { type TriggerItem, type TriggerResult, UNREADABLE_RESULT } from '../service/trigger.ts';
import { describeStore, silent } from '../store/store.testing.ts';
import { unfinishedTriggers } from './intents.ts';
import {
  report,
  resumeAbandoned,
  sendTrigger,
  type TriggerCommand,
  type TriggerCtx,
  type TriggerProgress,
} from './send.ts';

const COMMAND: TriggerCommand = {
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
};

const processed: TriggerResult = { status: 'processed', errors: [], transactionId: null };
const REFUSED = new ServiceError('production', 'triggerEvents', { kind: 'key-refused', status: 401 });
const LOST = new ServiceError(
  'production',
  'triggerEvents',
  { kind: 'timed-out', afterMs: 9 },
  { outcomeUnknown: true },
);
const listed = (n: number) =>
  anEvent({ transactionId: `notif-${n}`, subscriber: { ...SUBSCRIBER, subscriberId: `user-${n}` } });
const SUBSCRIBER = { subscriberId: 'user-1', initials: null, maskedEmail: null, maskedPhone: null };
const MESSAGE = { channel: 'D1', ts: '1.1' };

describeStore('triggers', (store) => {
  let answer: readonly TriggerResult[] | Error;
  let events: readonly TriggeredEvent[];
  let requests: { items: readonly TriggerItem[]; key: string }[];
  let shown: string[];
  let now: Date;

  beforeEach(() => {
    [answer, events, requests, shown, now] = [[processed, processed], [listed(1), listed(2)], [], [], NOON];
  });

  const told = (what: string, { intent, phase, isAnswerLost }: TriggerProgress) =>
    shown.push(`${what} ${intent.id} ${phase}${isAnswerLost ? ' lost' : ''}`);

  function aCtx(change: Partial<TriggerCtx> = {}): TriggerCtx {
    let made = 0;
    return {
      db: store().db,
      seal: createSeal('xoxb-secret'),
      serviceOf: () => ({
        clockAheadMs: () => 0,
        retrieveEvent: async () => null,
        async *eventPages() {
          yield { items: [...events], unreadable: [], hasMore: false };
        },
        listEvents: async () => ({ items: [], unreadable: [], hasMore: false }),
        triggerEvents: async (items, { idempotencyKey: key }) => {
          requests.push({ items, key });
          if (answer instanceof Error) throw answer;
          return answer;
        },
      }),
      reporter: {
        open: async (progress) => {
          told('open', progress);
          return MESSAGE;
        },
        update: async (_message, progress) => {
          told('update', progress);
          return 'done';
        },
      },
      logger: silent,
      now: () => now,
      sleep: async (ms) => {
        now = new Date(now.getTime() + ms);
      },
      signal: new AbortController().signal,
      newId: () => `notif-${++made}`,
      ...change,
    };
  }

  const send = (change: Partial<TriggerCommand> = {}, ctx = aCtx()) => sendTrigger(ctx, { ...COMMAND, ...change });
  const open = () => unfinishedTriggers(aCtx(), at(-1_000_000));
  async function trail() {
    const asked = { since: at(-1_000_000), environments: [], olderThan: null, limit: 9 };
    return (await auditEntries(store().db, asked)).entries;
  }
  const outcome = async () => (await trail())[0]?.outcome;

  describe('when they are sent,', () => {
    test('have one event per subscriber in one request, each with a transaction ID made beforehand', async () => {
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

    test('are sent once however often a modal is submitted, with one trail entry', async () => {
      const answers = await Promise.all([send(), send(), send()]);
      // Which of them comes first is the database's choice.
      const sent = answers.flatMap((answer) => (answer === null ? [] : [answer.intent.id]));
      expect([answers.length, sent, requests.length]).toEqual([3, ['intent-1'], 1]);
      expect(await trail()).toMatchObject([
        {
          at: NOON,
          actor: 'U1',
          channel: 'C0GENERAL',
          environment: 'production',
          change: { action: 'trigger', workflow: 'order-shipped', recipients: 2 },
          outcome: { is: 'sent', accepted: 2, refused: 0 },
          intentId: 'intent-1',
        },
      ]);
    });

    test('match results to rows by index, refusals with their reasons, and keep them', async () => {
      answer = [processed, { ...processed, status: 'trigger_not_active', errors: ['inactive'] }];
      expect((await send())?.recipients).toMatchObject([
        { row: 1, subscriberId: 'user-1', state: { is: 'awaited' } },
        { row: 2, subscriberId: 'user-2', state: { is: 'refused', errors: ['inactive'] } },
      ]);
      expect(await open()).toMatchObject([{ results: answer }]);
      expect(await outcome()).toEqual({ is: 'sent', accepted: 1, refused: 1 });
    });

    test.each([UNREADABLE_RESULT, { ...processed, status: 'queued', errors: ['why'] }])(
      'leave open what an unknown or unreadable result means: %j',
      async (result) => {
        answer = [processed, result];
        expect(await send()).toMatchObject({ isAnswerLost: true, recipients: [{}, { state: { is: 'awaited' } }] });
        expect(await outcome()).toEqual({ is: 'unknown' });
      },
    );

    test.each([LOST, new TypeError("unforeseen, of Notif's own")])(
      "await every recipient if the answer was lost, and aren't resent: %s",
      async (error) => {
        answer = error;
        expect(await send()).toMatchObject({ isAnswerLost: true, recipients: [{ state: { is: 'awaited' } }, {}] });
        expect([requests.length, (await open()).length, await outcome()]).toEqual([1, 1, { is: 'unknown' }]);
      },
    );

    test('are over if nothing was sent for sure', async () => {
      answer = REFUSED;
      await expect(send()).rejects.toThrow(ServiceError);
      expect([await open(), await outcome()]).toEqual([[], { is: 'refused', why: 'key-refused' }]);
    });
  });

  describe('that were sent', () => {
    async function reported(change: Partial<TriggerCtx> = {}): Promise<void> {
      const ctx = aCtx(change);
      const sent = await send({}, ctx);
      if (sent !== null) await report(ctx, sent, MESSAGE);
    }

    test('are shown in one message to their end, which closes them', async () => {
      await reported();
      expect([shown, await open()]).toEqual([['update intent-1 finished'], []]);
    });

    test("stay open if Slack doesn't show their outcome now, but their trail is settled", async () => {
      answer = LOST;
      await reported({ reporter: { ...aCtx().reporter, update: async () => 'later' } });
      expect(await open()).toMatchObject([{ message: MESSAGE }]);
      expect(await outcome()).toMatchObject({ is: 'sent' });
    });

    test('stay open if a process exit interrupts', async () => {
      events = [];
      await reported({ signal: AbortSignal.abort() });
      expect([shown, (await open()).length]).toEqual([['update intent-1 following'], 1]);
    });
  });

  describe('that nobody follows', () => {
    const STARTED = at(-10);
    async function left(intent: string, secondsAgo: number, change: Partial<TriggerCtx> = {}): Promise<void> {
      const ctx = aCtx({ now: () => at(-secondsAgo), ...change });
      await sendTrigger(ctx, { ...COMMAND, intent });
    }

    test('are read only, shown in their message, and settled', async () => {
      answer = LOST;
      await left('old', 200);
      await resumeAbandoned(aCtx(), STARTED);
      expect(shown).toEqual(['open old following lost', 'update old finished lost']);
      expect([requests.length, await open(), (await outcome())?.is]).toEqual([1, [], 'sent']);
    });

    test("are settled even if Slack refuses the message for good, and stay open if it's away", async () => {
      await left('old', 200);
      const away = async () => {
        throw new Error('Slack is away');
      };
      await resumeAbandoned(aCtx({ reporter: { ...aCtx().reporter, open: away } }), STARTED);
      expect(await open()).toHaveLength(1);
      await resumeAbandoned(aCtx({ reporter: { ...aCtx().reporter, open: async () => null } }), STARTED);
      expect(await open()).toEqual([]);
    });

    test.each([
      [
        'all unfinished ones when the only process starts, except those that it follows itself',
        STARTED,
        ['young', 'old'],
      ],
      ["only those that another replica can't be following", null, ['old']],
    ])('are taken up for a day: %s', async (_which, aloneSince, resumed) => {
      await left('own', 5);
      await left('young', 20);
      await left('old', 200);
      await left('forgotten', 100_000);
      await resumeAbandoned(aCtx(), aloneSince);
      const opened = shown.filter((what) => what.startsWith('open')).map((what) => what.split(' ')[1]);
      expect(opened.sort()).toEqual(resumed.sort());
    });
  });
});
