import { expect, it } from 'vitest';
import { FencedOffError, ServiceError, type ServiceProblem } from '../domain/errors.ts';
import type { ReadingReport } from '../use-cases/read-new-events.ts';
import { type PollParts, pollJobs } from './poll.ts';

const NOON = new Date('2026-05-04T12:00:00Z');
const REPORT: ReadingReport = {
  newEvents: 1,
  newFailures: 1,
  unreadable: 0,
  readTo: NOON,
  caughtUp: true,
  trouble: null,
  clockAheadMs: 0,
  sweep: { behindMs: 0, neededAMinute: 6, madeAMinute: 600 },
};
const never = new AbortController().signal;

/** A poll of 'production' whose parts say what happened, with a clock that can be moved. */
function pollWith(parts: Partial<PollParts> = {}) {
  const happened: string[] = [];
  const clock = { now: NOON };
  const note = (_fields: object, sentence: string): void => void happened.push(sentence);
  const [poll] = pollJobs({
    environments: ['production'],
    everySeconds: 60,
    read: async () => REPORT,
    announce: async () => [],
    wakeDelivery: async () => void happened.push('delivery woken'),
    logger: { debug: note, info: note, warn: note, error: note },
    now: () => clock.now,
    ...parts,
  });
  if (poll === undefined) throw new Error('there is a poll for the environment');
  return { poll, happened, clock };
}

function failing(problem: ServiceProblem): PollParts['read'] {
  return () => Promise.reject(new ServiceError('production', 'listEvents', problem));
}

it('has a job for each environment', () => {
  const { poll, ...parts } = pollWith();
  expect(parts.happened).toEqual([]);
  expect(poll).toMatchObject({ name: 'poll-production', everySeconds: 60 });
});

it('reads, announces and wakes the delivery when there is something to deliver', async () => {
  const { poll, happened } = pollWith({ announce: async () => ['digest-1'] });
  await poll.run(never);
  expect(happened).toEqual(['events read', 'delivery woken']);
});

it('lets the delivery sleep when nothing was announced', async () => {
  const { poll, happened } = pollWith();
  await poll.run(never);
  expect(happened).toEqual(['events read']);
});

it('announces what was recorded before the service failed, and waits for the next slot', async () => {
  const { poll, happened } = pollWith({ read: failing({ kind: 'unreachable' }), announce: async () => ['digest-1'] });
  await poll.run(never);
  await poll.run(never);
  expect(happened).toEqual([
    'events could not be read',
    'delivery woken',
    'events could not be read',
    'delivery woken',
  ]);
});

it('rests for as long as the service asks it to', async () => {
  const { poll, happened, clock } = pollWith({ read: failing({ kind: 'rate-limited', retryAfterMs: 90_000 }) });
  await poll.run(never);
  clock.now = new Date(NOON.getTime() + 89_999);
  await poll.run(never);
  expect(happened).toEqual(['events could not be read']);
  clock.now = new Date(NOON.getTime() + 90_000);
  await poll.run(never);
  expect(happened).toHaveLength(2);
});

it('says when the past could not be read, the sweeps are late or the clocks differ', async () => {
  const trouble = new ServiceError('production', 'listEvents', { kind: 'rate-limited', retryAfterMs: 90_000 });
  const sweep = { behindMs: 600_000, neededAMinute: 2_000, madeAMinute: 1_500 };
  const { poll, happened, clock } = pollWith({
    read: async () => ({ ...REPORT, trouble, sweep, clockAheadMs: -3_600_000 }),
  });
  await poll.run(never);
  expect(happened).toEqual([
    'events read',
    'events of the past could not be read',
    'late failures are looked for too late',
    'clocks differ by more than is made up for',
  ]);
  clock.now = new Date(NOON.getTime() + 89_999);
  await poll.run(never);
  expect(happened).toHaveLength(4);
});

it('leaves the announcing to whoever took over', async () => {
  const { poll, happened } = pollWith({
    read: () => Promise.reject(new FencedOffError('production')),
    announce: () => Promise.reject(new Error('not asked')),
  });
  await poll.run(never);
  expect(happened).toEqual(['another reader took over']);
});

it('hands on an error that it does not know, and the signal', async () => {
  const { poll } = pollWith({ read: (_environment, signal) => Promise.reject(signal.reason) });
  await expect(poll.run(AbortSignal.abort(new TypeError('a bug')))).rejects.toThrow('a bug');
});
