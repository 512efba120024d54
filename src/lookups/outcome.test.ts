import { expect, test } from 'vitest';
import type { Verdict } from '../failures/verdict.ts';
import { needsEyes, OUTCOME_ORDER, outcomeOf } from './steps.ts';

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
