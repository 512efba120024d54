import { expect, test } from 'vitest';
import type { Preview } from '../../../digests/alerts.ts';
import { at, expectFit, HOSTILE, NOON, wordsOf } from '../../slack.testing.ts';
import { previewLine, previewMessage } from './create.ts';

const WEEK = { from: at(-7 * 86_400), to: NOON };

type Previewed = Preview['incidents'][number];

const incident = (change: Partial<Previewed> = {}): Previewed => ({
  ...{ id: 7, channel: 'email', provider: 'sendgrid', cause: 'key expired', failures: 48, firstAt: at(-3_600) },
  ...change,
});

function aPreview(change: Partial<Preview> = {}): Preview {
  const incidents = [7, 6, 5].map((id) => incident({ id }));
  return { range: WEEK, incidents, below: 1, ...change };
}

test('the preview counts the incidents, and those below the threshold', () => {
  expect(`${previewLine(aPreview())}`).toBe(
    '🔮 It would have alerted to 3 incidents in the last 7 days; 1 incident stayed below its threshold.',
  );
  expect(`${previewLine(aPreview({ incidents: [], below: 0 }))}`).toBe(
    '🔮 It would have alerted to nothing in the last 7 days.',
  );
  expect(`${previewLine(aPreview({ range: { from: at(-3_600), to: NOON } }))}`).toMatch(/ 3 incidents since <!date/);
});

test('the preview lists the incidents, and fits however many there are', () => {
  expect(wordsOf(previewMessage(aPreview()))).toContain('#7 | Email · SendGrid: key expired | 48 | ');
  const many = Array.from({ length: 400 }, () => incident({ provider: HOSTILE, cause: HOSTILE.repeat(9) }));
  const long = previewMessage(aPreview({ incidents: many }));
  expectFit(long);
  expect(wordsOf(long)).toMatch(/\d+ of 400 incidents/);
});
