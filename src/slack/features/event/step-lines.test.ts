import { describe, expect, test } from 'vitest';
import { AuthoredText } from '../../../lib/text/scrub.ts';
import { aDetail, aJob, anEvent, at, aWait } from '../../../service/event.testing.ts';
import type { Job, Wait } from '../../../service/event.ts';
import { lineSections } from '../../kit/blocks.ts';
import { wordsOf } from '../../slack.testing.ts';
import { foundEvent } from './event-card.testing.ts';
import { detailLines, storyLine } from './step-lines.ts';

const text = (words: string) => new AuthoredText(words);

/** Returns the lines of the steps, without the one of the event's own properties. */
function stepsOf(jobs: Job[]): string[] {
  const [, ...lines] = detailLines(foundEvent(anEvent({ jobs })), { decisive: undefined, attemptsOf: () => null });
  return wordsOf({ blocks: lineSections(lines) })
    .split('\n')
    .map((line) => line.trim());
}

const queued = aDetail({ id: 'q', provider: null, status: 'Queued', detail: 'Step queued', createdAt: at(2) });
const sent = aDetail({ id: 's', status: 'Success', detail: 'Message sent', createdAt: at(5) });

describe("an event's timeline", () => {
  test('is a line from the trigger to the last step', () => {
    const jobs = [
      aJob({ type: 'trigger', provider: null }),
      aJob({ id: 'a', type: 'in_app', provider: null, updatedAt: at(1) }),
      aJob({
        id: 'b',
        status: 'failed',
        details: [aDetail({ isRetry: true }), aDetail({ id: 'd2' })],
        updatedAt: at(5),
      }),
    ];
    const words = wordsOf({ blocks: lineSections([storyLine(foundEvent(anEvent({ jobs })))]) });
    expect(words).toBe('received 12:00:00 UTC → in-app ✅ 12:00:01 UTC → email 🔴 12:00:05 UTC (2 attempts)');
  });

  test('names a clock that dates it in the future', () => {
    const words = wordsOf({ blocks: lineSections([storyLine({ ...foundEvent(anEvent()), aheadMs: 420_000 })]) });
    expect(words).toContain("received 12:00:00 UTC (the service's clock is 7 min ahead) →");
  });

  test("shows a step's name in its workflow, unless it repeats the type", () => {
    const named = (type: string, stepName: string) => stepsOf([aJob({ type, stepName })])[0];
    expect(named('email', 'To the buyer')).toContain('✅ email · SendGrid (To the buyer) —');
    for (const name of ['Email', 'Email Step', 'email step']) {
      expect(named('email', name)).toContain('✅ email · SendGrid —');
    }
    expect(named('in_app', 'In-App Step')).toContain('✅ in-app · SendGrid —');
    expect(named('in_app', 'in_app step')).toContain('✅ in-app · SendGrid —');
  });

  test('shows the date of a step on another day', () => {
    const later = aDetail({ status: 'Success', createdAt: at(86_400) });
    expect(stepsOf([aJob({ details: [later], updatedAt: null })])[0]).toContain('delivered · 2026-03-05 12:00 UTC');
  });

  test('shows errors, warnings and tests', () => {
    const details = [
      aDetail({ id: 'd1', isRetry: true, detail: 'Timed out' }),
      aDetail({ id: 'd2', status: 'Warning', detail: 'Slow answer', isTest: true }),
    ];
    const lines = stepsOf([aJob({ details })]);
    expect(lines[0]).toContain('succeeded on retry');
    expect(lines.slice(1)).toEqual([
      'Failed: Timed out (internal, 12:00:05 UTC)',
      'Warning: Slow answer (test, internal, 12:00:05 UTC)',
    ]);
  });

  test("shows a bounce that came late, and doesn't count that as its time", () => {
    const bounce = aDetail({ id: 'b', detail: 'Message bounced', source: 'Webhook', createdAt: at(3_605) });
    const [line, detail] = stepsOf([aJob({ details: [queued, sent, bounce], updatedAt: at(3_605) })]);
    expect(line).toBe('🟠 email · SendGrid — bounced · 12:00:05 UTC');
    expect(detail).toBe('Failed: Message bounced (webhook, 13:00:05 UTC)');
  });

  test('shows that a recipient confirmed reading it', () => {
    const said = { status: 'ReadConfirmation', detail: 'Opened', source: 'Webhook' };
    const confirmed = aDetail({ id: 'r', createdAt: at(65), ...said });
    expect(stepsOf([aJob({ details: [sent, confirmed] })])[1]).toBe('ReadConfirmation: Opened (webhook, 12:01:05 UTC)');
  });

  test('shows a merged step as merged, not delivered', () => {
    expect(stepsOf([aJob({ status: 'merged' })])[0]).toBe('⏭️ email · SendGrid — merged · 12:00:00 UTC');
  });
});

describe('the reason for a skipped step', () => {
  test('is what the service says of a failed step before it', () => {
    const stop = aDetail({ detail: 'Step was canceled because a previous step failed', provider: null });
    const jobs = [
      aJob({ id: 'a', status: 'failed', details: [aDetail()] }),
      aJob({ id: 'b', type: 'in_app' }),
      aJob({ id: 'c', type: 'sms', provider: null, status: 'canceled', details: [stop] }),
    ];
    expect(stepsOf(jobs).slice(-2)).toEqual([
      '⏭️ SMS — not sent: email failed · 12:00:05 UTC',
      'Failed: Step was canceled because a previous step failed (internal, 12:00:05 UTC)',
    ]);
  });

  test.each([
    [{ type: 'throttle', status: 'skipped', provider: null }, 'throttled: the limit for its time window was reached'],
    [{ type: 'delay', status: 'canceled', provider: null }, 'it was canceled before it was sent'],
  ])('is not a condition after %j', (first, words) => {
    const next = aJob({ id: 'b', type: 'in_app', provider: null, status: first.status });
    expect(stepsOf([aJob(first), next]).at(-1)).toBe(words);
  });

  test.each([
    ['Step filtered by subscriber workflow preferences', 'workflow', "the workflow's preferences turn email off"],
    ['Step filtered by subscriber global preferences', 'subscriber', 'the subscriber turned email off'],
    ['Step filtered by subscriber global preferences', 'in_app', 'the subscriber turned email off'],
    [
      "The step was skipped as it fell outside the subscriber's schedule",
      null,
      "it fell outside the subscriber's schedule",
    ],
    ['Step filtered based on condition', null, 'a condition decided not to send it'],
  ])('is read where it is told in a success: %s of %s', (detail, source, words) => {
    const raw = JSON.stringify({ overrides: [{ channel: source === 'in_app' ? source : 'email', source }] });
    const jobs = [aJob({ status: 'canceled', provider: null, details: [aDetail({ status: 'Success', detail, raw })] })];
    expect(stepsOf(jobs).at(-1)).toBe(words);
  });

  test("includes the step's conditions", () => {
    const skip = aDetail({ detail: 'Step was skipped based on steps conditions' });
    const comparison = { field: text('payload.plan'), operator: text('EQUAL'), value: text('pro') };
    const conditions: Job['conditions'] = [
      { isNegated: false, needs: 'all', comparisons: [comparison, { ...comparison, field: text('payload.country') }] },
      { isNegated: true, needs: 'one', comparisons: [comparison] },
    ];
    expect(stepsOf([aJob({ status: 'skipped', details: [skip], conditions })])).toEqual(
      expect.arrayContaining([
        'sent only if payload.plan EQUAL pro and payload.country EQUAL pro · sent unless payload.plan EQUAL pro',
      ]),
    );
  });
});

describe('a waiting step', () => {
  const waits = (wait: Partial<Wait>, change: Partial<Job> = {}) =>
    stepsOf([aJob({ type: 'digest', provider: null, status: 'delayed', wait: aWait(wait), ...change })])[1];

  test('shows for how long and until when it waits, and how much it collected', () => {
    expect(waits({})).toBe('scheduled wait: 2 h, until 2026-03-04 14:00 UTC');
    expect(waits({ ms: null, until: at(3_600) })).toBe('scheduled wait: until 2026-03-04 13:00 UTC');
    expect(waits({ collected: 3 }, { status: 'completed' })).toBe('scheduled wait: 2 h · collected 3 events');
  });

  test('counts its wait from when it began to wait, not from when the event was triggered', () => {
    const details = [aDetail({ status: 'Pending', createdAt: at(0) }), aDetail({ createdAt: at(3_600) })];
    expect(waits({}, { details, updatedAt: at(3_600) })).toBe('scheduled wait: 2 h, until 2026-03-04 15:00 UTC');
  });

  test('shows no end before it began to wait, or if it was extended', () => {
    expect(waits({}, { status: 'pending' })).toBe('scheduled wait: 2 h');
    expect(waits({}, { scheduleExtensions: 2 })).toBe('scheduled wait: 2 h');
  });
});

test('the story says how long it all took, and apart from that a planned wait and how late it ended', () => {
  const details = [aDetail({ createdAt: at(0) }), aDetail({ createdAt: at(75), status: 'Success' })];
  const delay = { type: 'delay', provider: null, wait: aWait({ ms: 45_000 }), details, updatedAt: at(75) };
  const sent = { updatedAt: at(80), details: [aDetail({ createdAt: at(80), status: 'Success' })] };
  const late = foundEvent(anEvent({ jobs: [aJob(delay), aJob({ id: 'job-2', ...sent })] }));
  expect(wordsOf({ blocks: lineSections([storyLine(late)]) })).toMatch(
    /delay ✅ .* \(75 s for a 45 s wait\) → email ✅ .* · 80 s in all, 45 s of it planned$/,
  );
});
