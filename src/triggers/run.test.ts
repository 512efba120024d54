import { describe, expect, test } from 'vitest';
import type { ChangeOutcome } from '../audit/entry.ts';
import { ServiceError } from '../lib/errors.ts';
import { Payload } from '../lib/text/payload.ts';
import { anEvent, at, NO_OPTIONS, NOON } from '../service/event.testing.ts';
import { type TriggerResult, UNREADABLE_RESULT } from '../service/trigger.ts';
import type { TriggerProgress } from './follow.ts';
import { resumeTrigger, runTrigger, showTrigger, type TriggerCommand, type TriggerCtx } from './send.ts';
import { aTriggerCtx } from './trigger.testing.ts';

const command: TriggerCommand = {
  intent: 'intent-1',
  environment: 'production',
  actor: 'U1',
  channel: null,
  workflow: 'order-shipped',
  events: [{ subscriberId: 'user-1', payload: new Payload({}), profile: null }],
  options: NO_OPTIONS,
  transactionId: null,
};

const posted = async () => {};
const processed: TriggerResult = { acknowledged: true, status: 'processed', errors: [], transactionId: null };

function running(answer: () => readonly TriggerResult[] = () => [processed]) {
  const happened: string[] = [];
  const claimed = new Set<string>();
  const listed = anEvent({ transactionId: 'txn-1' });
  const say = (what: string, { phase, isAnswerLost, isResumed }: TriggerProgress) =>
    happened.push([what, phase, isResumed && 'resumed', isAnswerLost && 'lost'].filter(Boolean).join(' '));
  const base = aTriggerCtx();
  const service = {
    ...base.service,
    triggerEvents: async () => {
      happened.push('send');
      return answer();
    },
    listEvents: async () => ({ items: [listed], unreadable: [], hasMore: false }),
  };
  const triggers: TriggerCtx['store']['triggers'] = {
    ...base.triggers,
    claimIntent: async ({ id }) => !claimed.has(id) && Boolean(claimed.add(id)),
    noteProgressMessage: async (_, { ts }) => void happened.push(`note ${ts}`),
    closeIntent: async () => void happened.push('close'),
  };
  const audit = {
    settleChange: async (_: string, { is }: ChangeOutcome) => void happened.push(`settle ${is}`),
  };
  const ctx: TriggerCtx = {
    ...base,
    serviceOf: () => service,
    store: { triggers, audit },
    reporter: {
      open: async (progress) => {
        say('open', progress);
        return { channel: 'D1', ts: '1.1' };
      },
      update: async (_message, progress) => {
        say('update', progress);
        return 'done';
      },
    },
    newId: () => 'txn-1',
  };
  return { happened, ctx, service };
}

describe('running a trigger', () => {
  test('sends, reports progress in one message, and closes the intent at the end', async () => {
    const { happened, ctx } = running();
    expect(await runTrigger(ctx, command, posted)).toBe('reported');
    expect(happened).toEqual([
      'send',
      'settle sent',
      'open following',
      'note 1.1',
      'update finished',
      'settle sent',
      'close',
    ]);
  });

  test('reports nothing if nothing was sent for sure, leaving that to its caller', async () => {
    const { happened, ctx } = running(() => {
      throw new ServiceError('production', 'triggerEvents', { kind: 'key-refused', status: 401 });
    });
    await expect(runTrigger(ctx, command, posted)).rejects.toThrow(ServiceError);
    expect(happened).toEqual(['send', 'settle refused', 'close']);
  });
});

test.each([
  ['is settled once the event of an unclear answer is seen', [anEvent({ transactionId: 'txn-1' })], 'sent'],
  ['stays open if that is never seen', [], 'unknown'],
])('the audit trail %s', async (_which, items, outcome) => {
  const { happened, ctx, service: usual } = running(() => [UNREADABLE_RESULT]);
  let now = NOON.getTime();
  const sleep = async (ms: number) => {
    now += ms;
  };
  const service = { ...usual, listEvents: async () => ({ items: [...items], unreadable: [], hasMore: false }) };
  await runTrigger({ ...ctx, serviceOf: () => service, now: () => new Date(now), sleep }, command, posted);
  expect(happened.filter((what) => what.startsWith('settle'))).toEqual(['settle unknown', `settle ${outcome}`]);
});

test("reports what the service answered if its progress can't be posted", async () => {
  const { happened, ctx } = running();
  const open = async () => {
    throw new Error('Slack is away');
  };
  expect(await runTrigger({ ...ctx, reporter: { ...ctx.reporter, open } }, command, posted)).toMatchObject({
    progress: {
      intent: { id: 'intent-1' },
      recipients: [{ transactionId: 'txn-1', state: { is: 'awaited' } }],
      isAnswerLost: false,
    },
  });
  expect(happened).toEqual(['send', 'settle sent']);
});

test("continues if it can't be written down where its progress is shown", async () => {
  const { happened, ctx } = running();
  const noteProgressMessage = async () => {
    throw new Error('the store is away');
  };
  expect(
    await runTrigger(
      { ...ctx, store: { ...ctx.store, triggers: { ...ctx.store.triggers, noteProgressMessage } } },
      command,
      posted,
    ),
  ).toBe('reported');
  expect(happened).toEqual(['send', 'settle sent', 'open following', 'update finished', 'settle sent', 'close']);
});

test("leaves an intent open whose outcome Slack doesn't show, to be resumed, but settles its trail entry", async () => {
  const { happened, ctx } = running();
  const update = async () => 'later' as const;
  expect(await runTrigger({ ...ctx, reporter: { ...ctx.reporter, update } }, command, posted)).toBe('reported');
  expect(happened).toEqual(['send', 'settle sent', 'open following', 'note 1.1', 'settle sent']);
});

test('leaves an intent open that a process exit interrupts, to be resumed', async () => {
  const { happened, ctx, service: usual } = running();
  const listEvents = async () => ({ items: [], unreadable: [], hasMore: false });
  const service = { ...usual, listEvents };
  await runTrigger({ ...ctx, serviceOf: () => service, signal: AbortSignal.abort() }, command, posted);
  expect(happened).toEqual(['send', 'settle sent', 'open following', 'note 1.1', 'update following']);
});

describe('resuming a trigger after a restart', () => {
  const intent = { ...command, id: 'intent-1', recipients: [{ subscriberId: 'user-1', transactionId: 'txn-1' }] };
  const lost = { intent, claimedAt: at(-90), results: null };

  test('only reads, continues in the existing message, and settles by what it reads', async () => {
    const { happened, ctx } = running();
    await resumeTrigger(ctx, { ...lost, message: { channel: 'D1', ts: '7.7' } });
    expect(happened).toEqual(['note 7.7', 'update finished resumed lost', 'settle sent', 'close']);
  });

  test('posts a message if there was none', async () => {
    const { happened, ctx } = running();
    await resumeTrigger(ctx, { ...lost, message: null });
    expect(happened.slice(0, 2)).toEqual(['open following resumed lost', 'note 1.1']);
  });

  test('only settles it if Slack refuses the message for good', async () => {
    const { happened, ctx } = running();
    const reporter = { ...ctx.reporter, open: async () => null };
    await resumeTrigger({ ...ctx, reporter }, { ...lost, message: null });
    expect(happened).toEqual(['settle sent', 'close']);
  });

  test('leaves it open if Slack may take the message later', async () => {
    const { happened, ctx } = running();
    const open = async () => {
      throw new Error('Slack is away');
    };
    const resuming = resumeTrigger({ ...ctx, reporter: { ...ctx.reporter, open } }, { ...lost, message: null });
    await expect(resuming).rejects.toThrow('Slack is away');
    expect(happened).toEqual([]);
  });

  test("knows the service's earlier answer", async () => {
    const { happened, ctx } = running();
    const results = [{ ...processed, status: 'trigger_not_active' }];
    await resumeTrigger(ctx, { ...lost, results, message: { channel: 'D1', ts: '7.7' } });
    expect(happened).toEqual(['note 7.7', 'update finished resumed', 'settle sent', 'close']);
  });
});

test('shows a stored trigger as it is now: refused when sent, or by its event', async () => {
  const recipients = [1, 2].map((n) => ({ subscriberId: 'user-1', transactionId: `txn-${n}` }));
  const results = [processed, { ...processed, status: 'invalid_recipients' }];
  const intent = { id: 'intent-1', environment: 'production', actor: 'U1', workflow: 'order-shipped', recipients };
  const { ctx } = running();
  const keptTrigger = async () => ({ intent, claimedAt: NOON, results, message: null });
  const store = { ...ctx.store, triggers: { ...ctx.store.triggers, keptTrigger } };
  const shown = await showTrigger({ ...ctx, store, now: () => at(60) }, 'intent-1');
  expect(shown).toMatchObject({
    intent: { id: 'intent-1' },
    sentAt: NOON,
    phase: 'finished',
    isAnswerLost: false,
  });
  expect(shown?.recipients.map(({ state }) => state.is)).toEqual(['seen', 'refused']);
});
