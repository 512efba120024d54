import { describe, expect, test } from 'vitest';
import type { Verdict } from '../failures/verdict.ts';
import { aDetail, aJob, at } from '../service/event.testing.ts';
import { needsEyes, OUTCOME_ORDER, outcomeOf, stepTimes } from './steps.ts';

const SHOWN = { listsSteps: true, unreadable: [] };
const HIDDEN = [
  { listsSteps: false, unreadable: [] },
  { listsSteps: true, unreadable: ['jobs'] },
];

test.each<[Verdict, boolean]>([
  ['failed', true],
  ['partly-failed', true],
  ['bounced', true],
  ['stuck', true],
  ['undeliverable', true],
  ['warning', true],
  ['in-progress', false],
  ['retried-then-fine', false],
  ['skipped-by-design', false],
  ['delivered', false],
])('%s holds although a part of the event is not shown: %j', (verdict, holds) => {
  expect(needsEyes(verdict)).toBe(holds);
  expect(outcomeOf(SHOWN, { verdict })).toBe(verdict);
  for (const event of HIDDEN) expect(outcomeOf(event, { verdict })).toBe(holds ? verdict : 'not-shown');
});

test('what needs attention is before everything else', () => {
  expect(OUTCOME_ORDER.map(needsEyes)).toEqual([...Array(6).fill(true), ...Array(5).fill(false)]);
});

const queued = aDetail({ id: 'd1', status: 'Queued', createdAt: at(0) });
const queuedAgain = aDetail({ id: 'd2', status: 'Queued', createdAt: at(120) });
const sent = aDetail({ id: 'd3', status: 'Success', createdAt: at(123) });
const bounce = aDetail({ id: 'd4', source: 'Webhook', createdAt: at(3_723) });

describe('the times of a step', () => {
  test('separate waiting from running at the last detail about queueing', () => {
    expect(stepTimes(aJob({ details: [queued, queuedAgain, sent], updatedAt: null }))).toEqual({
      began: at(0),
      ended: at(123),
      lastSign: at(123),
      waitedMs: 120_000,
      ranMs: 3_000,
    });
  });

  test("don't depend on the order of the details", () => {
    const times = stepTimes(aJob({ details: [sent, queuedAgain, queued] }));
    expect(times).toEqual(stepTimes(aJob({ details: [queued, queuedAgain, sent] })));
  });

  test('have no end before the step is final', () => {
    expect(stepTimes(aJob({ status: 'running', details: [queued] }))).toMatchObject({ ended: null, ranMs: null });
  });

  test('end with the step, however late its provider reports something', () => {
    const job = aJob({ details: [queued, sent, bounce], updatedAt: at(3_724) });
    expect(stepTimes(job)?.ended).toEqual(at(123));
  });

  test('are the job’s own if no detail has a time', () => {
    expect(stepTimes(aJob({ details: [aDetail({ createdAt: null })], updatedAt: at(9) }))?.ended).toEqual(at(9));
    expect(stepTimes(aJob({ details: [], updatedAt: null }))).toBeNull();
  });
});
