import { describe, expect, test } from 'vitest';
import type { Verdict } from '../judging/verdict.ts';
import { aDetail, aJob, anEvent, at } from '../service/event.testing.ts';
import { needsEyes, OUTCOME_ORDER, outcomeOf, stepTimes } from './outcome.ts';

const HIDDEN = [anEvent({ listsSteps: false }), anEvent({ mayHideFailures: true })];

test.each<[Verdict, boolean]>([
  ['failed', true],
  ['partly-failed', true],
  ['bounced', true],
  ['complained', true],
  ['unsubscribed', false],
  ['stuck', true],
  ['undeliverable', true],
  ['warning', true],
  ['in-progress', false],
  ['retried-then-fine', false],
  ['not-sent', true],
  ['skipped-by-design', false],
  ['delivered', false],
])('%s holds although a part of the event is not shown: %j', (verdict, holds) => {
  expect(needsEyes(verdict)).toBe(holds);
  expect(outcomeOf(anEvent(), { verdict })).toBe(verdict);
  for (const event of HIDDEN) expect(outcomeOf(event, { verdict })).toBe(holds ? verdict : 'not-shown');
});

test('what needs attention is before everything else', () => {
  const attention = OUTCOME_ORDER.filter(needsEyes);
  expect(attention).toHaveLength(8);
  expect(OUTCOME_ORDER.slice(0, 8)).toEqual(attention);
});

test('an event whose messages were all merged into another is not called delivered', () => {
  const [merged, delivered] = [aJob({ status: 'merged' }), aJob({ id: 'delivered' })];
  const outcomes = [[merged], [merged, delivered]].map((jobs) =>
    outcomeOf(anEvent({ jobs }), { verdict: 'delivered' }),
  );
  expect(outcomes).toEqual(['merged', 'delivered']);
});

const queued = aDetail({ id: 'd1', status: 'Queued', createdAt: at(0) });
const sent = aDetail({ id: 'd3', status: 'Success', createdAt: at(123) });
const bounce = aDetail({ id: 'd4', source: 'Webhook', createdAt: at(3_723) });
const seen = aDetail({ id: 'd5', status: 'Success', detail: 'Message seen', createdAt: at(3_723) });

describe('the times of a step', () => {
  test('are its first and its last, however late its provider reports something, in any order of the details', () => {
    const job = aJob({ details: [sent, bounce, seen, queued], updatedAt: at(3_724) });
    expect(stepTimes(job)).toEqual({ began: at(0), last: at(123) });
  });

  test('are the job’s own if no detail has a time', () => {
    const job = aJob({ details: [aDetail({ createdAt: null })], updatedAt: at(9) });
    expect(stepTimes(job)).toEqual({ began: at(9), last: at(9) });
    expect(stepTimes(aJob({ details: [], updatedAt: null }))).toBeNull();
  });
});
