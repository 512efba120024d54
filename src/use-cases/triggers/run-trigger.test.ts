import { describe, expect, test } from 'vitest';
import { ServiceError } from '../../domain/errors.ts';
import { anEvent, at, NO_OPTIONS, NOON } from '../../domain/service/event.testing.ts';
import { type EventQuery, type TriggerResult, UNREADABLE_RESULT } from '../../domain/service/query.ts';
import { Payload } from '../../domain/text/payload.ts';
import type { ProgressMessage, TriggerProgress, TriggerRun } from '../../domain/triggers/trigger.ts';
import { type RunParts, resumeTrigger, runTrigger, showTrigger } from './run-trigger.ts';
import type { TriggerCommand } from './send-trigger.ts';

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

const processed: TriggerResult = { acknowledged: true, status: 'processed', errors: [], transactionId: null };

function running(answer: () => readonly TriggerResult[] = () => [processed]) {
  const happened: string[] = [];
  const claimed = new Set<string>();
  const listed = anEvent({ transactionId: 'txn-1' });
  const say = (what: string, run: TriggerRun, { phase, isAnswerLost }: TriggerProgress) =>
    happened.push([what, phase, run.isResumed && 'resumed', isAnswerLost && 'lost'].filter(Boolean).join(' '));
  const parts: RunParts = {
    service: {
      clockAheadMs: () => 0,
      retrieveEvent: async () => null,
      triggerEvents: async () => {
        happened.push('send');
        return answer();
      },
      listEvents: async (_query: EventQuery) => ({ items: [listed], unreadable: [], hasMore: false }),
      async *eventPages() {},
    },
    store: {
      claimIntent: async ({ id }) => !claimed.has(id) && Boolean(claimed.add(id)),
      noteResults: async () => {},
      settleChange: async (_, { is }) => void happened.push(`settle ${is}`),
      noteProgressMessage: async (_, { ts }) => void happened.push(`note ${ts}`),
      closeIntent: async () => void happened.push('close'),
    },
    reporter: {
      open: async (run, progress) => {
        say('open', run, progress);
        return { channel: 'D1', ts: '1.1' };
      },
      update: async (_message: ProgressMessage, run, progress) => {
        say('update', run, progress);
        return 'done';
      },
    },
    logger: { debug() {}, info() {}, warn() {}, error() {} },
    now: () => NOON,
    sleep: async () => {},
    newTransactionId: () => 'txn-1',
  };
  return { happened, parts };
}

describe('running a trigger', () => {
  test('sends, reports progress in one message, and closes the intent at the end', async () => {
    const { happened, parts } = running();
    expect(await runTrigger(command, parts)).toBe('reported');
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
    const { happened, parts } = running(() => {
      throw new ServiceError('production', 'triggerEvents', { kind: 'key-refused', status: 401 });
    });
    await expect(runTrigger(command, parts)).rejects.toThrow(ServiceError);
    expect(happened).toEqual(['send', 'settle refused', 'close']);
  });
});

test.each([
  ['is settled once the event of an unclear answer is seen', [anEvent({ transactionId: 'txn-1' })], 'sent'],
  ['stays open if that is never seen', [], 'unknown'],
])('the audit trail %s', async (_which, items, outcome) => {
  const { happened, parts } = running(() => [UNREADABLE_RESULT]);
  let now = NOON.getTime();
  const sleep = async (ms: number) => {
    now += ms;
  };
  const service = { ...parts.service, listEvents: async () => ({ items, unreadable: [], hasMore: false }) };
  await runTrigger(command, { ...parts, service, now: () => new Date(now), sleep });
  expect(happened.filter((what) => what.startsWith('settle'))).toEqual(['settle unknown', `settle ${outcome}`]);
});

test("reports what the service answered if its progress can't be posted", async () => {
  const { happened, parts } = running();
  const open = async () => {
    throw new Error('Slack is away');
  };
  expect(await runTrigger(command, { ...parts, reporter: { ...parts.reporter, open } })).toMatchObject({
    run: { intent: { id: 'intent-1' } },
    answer: { recipients: [{ transactionId: 'txn-1', state: { is: 'awaited' } }], isAnswerLost: false },
  });
  expect(happened).toEqual(['send', 'settle sent']);
});

test("continues if it can't be written down where its progress is shown", async () => {
  const { happened, parts } = running();
  const noteProgressMessage = async () => {
    throw new Error('the store is away');
  };
  expect(await runTrigger(command, { ...parts, store: { ...parts.store, noteProgressMessage } })).toBe('reported');
  expect(happened).toEqual(['send', 'settle sent', 'open following', 'update finished', 'settle sent', 'close']);
});

test("leaves an intent open whose outcome Slack doesn't show, to be resumed, but settles its trail entry", async () => {
  const { happened, parts } = running();
  const update = async () => 'later' as const;
  expect(await runTrigger(command, { ...parts, reporter: { ...parts.reporter, update } })).toBe('reported');
  expect(happened).toEqual(['send', 'settle sent', 'open following', 'note 1.1', 'settle sent']);
});

test('leaves an intent open that a process exit interrupts, to be resumed', async () => {
  const { happened, parts } = running();
  const listEvents = async () => ({ items: [], unreadable: [], hasMore: false });
  const service = { ...parts.service, listEvents };
  await runTrigger(command, { ...parts, service, signal: AbortSignal.abort() });
  expect(happened).toEqual(['send', 'settle sent', 'open following', 'note 1.1', 'update following']);
});

describe('resuming a trigger after a restart', () => {
  const intent = { ...command, id: 'intent-1', recipients: [{ subscriberId: 'user-1', transactionId: 'txn-1' }] };
  const lost = { intent, claimedAt: at(-90), results: null };

  test('only reads, continues in the existing message, and settles by what it reads', async () => {
    const { happened, parts } = running();
    await resumeTrigger({ ...lost, message: { channel: 'D1', ts: '7.7' } }, parts);
    expect(happened).toEqual(['note 7.7', 'update finished resumed lost', 'settle sent', 'close']);
  });

  test('posts a message if there was none', async () => {
    const { happened, parts } = running();
    await resumeTrigger({ ...lost, message: null }, parts);
    expect(happened.slice(0, 2)).toEqual(['open following resumed lost', 'note 1.1']);
  });

  test('only settles it if Slack refuses the message for good', async () => {
    const { happened, parts } = running();
    const reporter = { ...parts.reporter, open: async () => null };
    await resumeTrigger({ ...lost, message: null }, { ...parts, reporter });
    expect(happened).toEqual(['settle sent', 'close']);
  });

  test('leaves it open if Slack may take the message later', async () => {
    const { happened, parts } = running();
    const open = async () => {
      throw new Error('Slack is away');
    };
    const resuming = resumeTrigger({ ...lost, message: null }, { ...parts, reporter: { ...parts.reporter, open } });
    await expect(resuming).rejects.toThrow('Slack is away');
    expect(happened).toEqual([]);
  });

  test("knows the service's earlier answer", async () => {
    const { happened, parts } = running();
    const results = [{ ...processed, status: 'trigger_not_active' }];
    await resumeTrigger({ ...lost, results, message: { channel: 'D1', ts: '7.7' } }, parts);
    expect(happened).toEqual(['note 7.7', 'update finished resumed', 'settle sent', 'close']);
  });
});

test('shows a stored trigger as it is now: refused when sent, or by its event', async () => {
  const recipients = [1, 2].map((n) => ({ subscriberId: 'user-1', transactionId: `txn-${n}` }));
  const results = [processed, { ...processed, status: 'invalid_recipients' }];
  const intent = { id: 'intent-1', environment: 'production', actor: 'U1', workflow: 'order-shipped', recipients };
  const store = { keptTrigger: async () => ({ intent, claimedAt: NOON, results, message: null }) };
  const { service } = running().parts;
  const shown = await showTrigger('intent-1', { store, serviceOf: () => service, now: () => at(60) });
  expect(shown).toMatchObject({
    run: { intent: { id: 'intent-1' }, startedAt: NOON },
    progress: { phase: 'finished', isAnswerLost: false },
  });
  expect(shown?.progress.recipients.map(({ state }) => state.is)).toEqual(['seen', 'refused']);
});
