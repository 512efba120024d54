import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { aDetail, aFailedEvent, aJob, anEvent, at, NOON } from '../service/event.testing.ts';
import type { Job, TriggeredEvent } from '../service/event.ts';
import { deliveriesOf, judge } from './judge.ts';
import type { Verdict } from './verdict.ts';
import { STUCK_AFTER_MS } from './waits.ts';

const soon = at(60);
const muchLater = new Date(NOON.getTime() + STUCK_AFTER_MS + 60_000);

function verdictsOf(jobs: Job[], now = soon) {
  const judged = judge(anEvent({ jobs }), now);
  return { event: judged.verdict, failures: judged.failures.map((failure) => failure.verdict) };
}

describe('judging an event', () => {
  test('says warning for a delivered step with a Warning, which is nothing beside a failure or before the end', () => {
    const warning = aDetail({ id: 'w', status: 'Warning', detail: 'No active integration was found' });
    expect(verdictsOf([aJob({ details: [warning] })])).toEqual({ event: 'warning', failures: ['warning'] });
    const failed = aJob({ status: 'failed', details: [aDetail(), warning] });
    expect(verdictsOf([failed])).toEqual({ event: 'failed', failures: ['failed'] });
    const queued = aJob({ status: 'queued', details: [warning] });
    expect(verdictsOf([queued])).toEqual({ event: 'in-progress', failures: [] });
  });

  test('says undeliverable for a canceled job that has only a Warning', () => {
    const details = [aDetail({ status: 'Warning', detail: 'Subscriber does not have a configured channel' })];
    expect(verdictsOf([aJob({ status: 'canceled', details })])).toEqual({
      event: 'undeliverable',
      failures: ['undeliverable'],
    });
    expect(verdictsOf([aJob({ status: 'canceled', details: [] })])).toEqual({
      event: 'skipped-by-design',
      failures: [],
    });
    const skip = aDetail({ id: 'd2', detail: 'Step was skipped based on steps conditions' });
    expect(verdictsOf([aJob({ status: 'canceled', details: [...details, skip] })]).event).toBe('skipped-by-design');
  });

  test.each([
    ['Unexpected provider error', 'a provider refused, while another channel of the subscriber had no address'],
    ['Subscriber does not have an active integration', 'nothing is set up to send with'],
  ])('says failed for "%s" on a canceled job: %s', (detail) => {
    const details = [
      aDetail({ detail: 'Subscriber credentials is missing the tokens for sending a push notification message' }),
      aDetail({ id: 'd2', detail }),
    ];
    expect(verdictsOf([aJob({ status: 'canceled', details })])).toEqual({
      event: 'failed',
      failures: ['failed'],
    });
  });

  test.each([
    'Step was skipped based on steps conditions',
    'Step was filtered based on steps filters',
    'Bridge execution skipped',
  ])('says skipped by design for "%s", whatever the status of the job', (detail) => {
    for (const status of ['completed', 'canceled', 'failed', 'skipped']) {
      expect(verdictsOf([aJob({ status, details: [aDetail({ detail })] })]).failures).toEqual(['skipped-by-design']);
    }
  });

  test('says not sent of a step that another one stopped', () => {
    const stop = aDetail({ detail: 'Step was canceled because a previous step failed' });
    const jobs = [...aFailedEvent().jobs, aJob({ id: 'stopped', status: 'canceled', details: [stop] })];
    expect(verdictsOf(jobs)).toEqual({ event: 'failed', failures: ['failed', 'not-sent'] });
  });

  test('says failed, not partly failed, when only the trigger step was completed', () => {
    const jobs = [aJob({ id: 'a', type: 'trigger' }), aJob({ id: 'b', status: 'failed', details: [aDetail()] })];
    expect(verdictsOf(jobs).event).toBe('failed');
  });

  test('waits for the retry of an ongoing step, and counts the failed attempt once the step is stuck', () => {
    const jobs = [aJob({ status: 'queued', details: [aDetail({ isRetry: true })] })];
    expect(verdictsOf(jobs)).toEqual({ event: 'in-progress', failures: [] });
    expect(verdictsOf(jobs, muchLater).failures).toEqual(['failed']);
  });

  test('counts a failed job without a Failed detail as a failure without a reason', () => {
    const { verdict, failures } = judge(anEvent({ jobs: [aJob({ status: 'failed' })] }), soon);
    expect(verdict).toBe('failed');
    expect(failures).toMatchObject([
      { verdict: 'failed', isUnexplained: true, cause: { text: 'No reason was given' } },
    ]);
  });

  const STEPS = {
    delivered: aJob({ id: 'delivered' }),
    failed: aJob({ id: 'failed', status: 'failed', details: [aDetail()] }),
    bounced: aJob({ id: 'bounced', details: [aDetail({ source: 'Webhook' })] }),
    warning: aJob({ id: 'warning', details: [aDetail({ status: 'Warning' })] }),
    'retried-then-fine': aJob({ id: 'retried', details: [aDetail({ isRetry: true })] }),
    undeliverable: aJob({ id: 'undeliverable', status: 'canceled', details: [aDetail()] }),
    'skipped-by-design': aJob({ id: 'skipped', status: 'skipped' }),
    'in-progress': aJob({ id: 'ongoing', status: 'queued' }),
    stuck: aJob({ id: 'stuck', status: 'queued' }),
  };

  test.each<[event: Verdict, ...steps: (keyof typeof STEPS)[]]>([
    ['failed', 'failed', 'bounced', 'stuck'],
    ['failed', 'failed', 'undeliverable', 'skipped-by-design'],
    ['partly-failed', 'failed', 'warning'],
    ['bounced', 'bounced', 'stuck', 'delivered'],
    ['in-progress', 'in-progress', 'warning', 'retried-then-fine', 'delivered'],
    ['retried-then-fine', 'retried-then-fine', 'undeliverable', 'delivered'],
    ['undeliverable', 'undeliverable', 'skipped-by-design'],
  ])('says %s of an event with steps that are %s, %s, …', (event, ...steps) => {
    const now = steps.includes('stuck') ? muchLater : soon;
    const jobs = steps.map((step) => STEPS[step]);
    expect(judge(anEvent({ jobs }), now)).toMatchObject({
      verdict: event,
      steps: steps.map((verdict) => ({ verdict })),
    });
    expect(verdictsOf(jobs.toReversed(), now).event).toBe(event);
  });

  test.each([
    ['in-progress', false, muchLater],
    ['in-progress', true, soon],
    ['stuck', true, muchLater],
  ])('says %s of an event without steps (listed: %s)', (verdict, listsSteps, now) => {
    expect(judge(anEvent({ jobs: [], listsSteps }), now)).toMatchObject({ verdict });
  });

  test('has the names, severity and time of its event and step in a failure', () => {
    const [failure] = judge(aFailedEvent({ severity: 'high', critical: true }), soon).failures;
    expect(failure).toMatchObject({
      eventId: '65f000000000000000000001',
      workflow: 'order-shipped',
      channel: 'email',
      provider: 'sendgrid',
      severity: 'high',
      critical: true,
      occurredAt: at(5),
    });
  });

  test('marks the failure of a test as one, and no stuck step', () => {
    const jobs = [aJob({ status: 'queued', details: [aDetail({ isTest: true })] })];
    expect(judge(anEvent({ jobs }), muchLater).failures.map(({ isTest }) => isTest)).toEqual([true]);
    const stuck = judge(anEvent({ jobs: [STEPS.stuck] }), muchLater).failures;
    expect(stuck).toMatchObject([
      { verdict: 'stuck', jobId: 'stuck', isTest: false, provider: null, occurredAt: NOON },
    ]);
  });

  test('counts a step at a provider once, whatever its details are', () => {
    const status = fc.constantFrom('completed', 'failed', 'canceled', 'merged', 'skipped');
    const detail = fc.record({
      status: fc.constantFrom('Failed', 'Success', 'Warning', 'Odd'),
      source: fc.constantFrom('Webhook', 'Internal', 'Payload'),
      isRetry: fc.boolean(),
    });
    const job = fc.record({
      status,
      type: fc.constantFrom('email', 'in_app', 'digest', 'odd'),
      details: fc.array(detail),
    });
    fc.assert(
      fc.property(fc.array(job), (jobs) => {
        const event = anEvent({
          jobs: jobs.map((job, i) =>
            aJob({ ...job, id: `j${i}`, details: job.details.map((d, k) => aDetail({ ...d, id: `d${k}` })) }),
          ),
        });
        const failed = new Set(judge(event, soon).failures.map(({ jobId }) => jobId));
        expect(judge(event, soon).failures).toHaveLength(failed.size);
        const hasFailed = jobs.flatMap((job, i) =>
          job.details.some(({ status }) => status === 'Failed') ? [`j${i}`] : [],
        );
        expect([...failed]).toEqual(expect.arrayContaining(hasFailed));
      }),
    );
  });
});

const deliveriesIn = (event: TriggeredEvent) => deliveriesOf(event, judge(event, at(60)));

test('a delivery that succeeded on the second attempt counts', () => {
  const details = [aDetail({ isRetry: true })];
  expect(deliveriesIn(anEvent({ jobs: [aJob({ details })] }))).toHaveLength(1);
});

test('what failed, is pending, was merged, or delivers nothing is no delivery', () => {
  const jobs = [
    aJob({ status: 'queued' }),
    aJob({ status: 'merged' }),
    aJob({ type: 'delay' }),
    aJob({ status: 'skipped' }),
  ];
  const events = [aFailedEvent(), ...jobs.map((job) => anEvent({ jobs: [job] }))];
  expect(events.flatMap(deliveriesIn)).toEqual([]);
});

test.each([
  { which: "the step's", stepUpdatedAt: at(3), updatedAt: at(2), createdAt: at(1), expected: at(3) },
  { which: "the event's last one", stepUpdatedAt: null, updatedAt: at(2), createdAt: at(1), expected: at(2) },
  { which: "the event's first one", stepUpdatedAt: null, updatedAt: null, createdAt: at(1), expected: at(1) },
])('a delivery has the best known time: $which', ({ stepUpdatedAt, updatedAt, createdAt, expected }) => {
  const event = anEvent({ updatedAt, createdAt, jobs: [aJob({ updatedAt: stepUpdatedAt })] });
  expect(deliveriesIn(event)).toEqual([
    { channel: 'email', provider: 'sendgrid', domain: 'example.com', at: expected },
  ]);
});

test('a delivery whose time is unknown does not count', () => {
  const event = anEvent({ updatedAt: null, createdAt: null, jobs: [aJob({ updatedAt: null })] });
  expect(deliveriesIn(event)).toEqual([]);
});
