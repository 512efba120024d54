import { expect, test } from 'vitest';
import type { Preview, PreviewedIncident } from '../../../watches/preview.ts';
import { UNFILTERED } from '../../../watches/settings.ts';
import { aWatch } from '../../../watches/watch.testing.ts';
import { at, buttonsOf, expectFit, HOSTILE, NOON, PRODUCTION, wordsOf } from '../../slack.testing.ts';
import { madeMessage, unconfirmedMessage } from './create.ts';
import { changedMessage } from './edit.ts';
import { previewMessage, previewWords } from './preview.ts';

const WEEK = { from: at(-7 * 86_400), to: NOON };
const WATCH = aWatch();

const incident = (change: Partial<PreviewedIncident> = {}): PreviewedIncident => ({
  ...{ id: 7, channel: 'email', provider: 'sendgrid', cause: 'key expired', failures: 48, firstAt: at(-3_600) },
  ...change,
});

function aPreview(change: Partial<Preview> = {}): Preview {
  const incidents = [7, 6, 5].map((id) => incident({ id }));
  return { range: WEEK, incidents, below: [incident({ id: 9, failures: 2 })], ...change };
}

test('the preview counts the incidents, and those below the threshold', () => {
  expect(`${previewWords(aPreview())}`).toBe(
    'It would have alerted to 3 incidents in the last 7 days; 1 incident stayed below its threshold',
  );
  expect(`${previewWords(aPreview({ incidents: [], below: [] }))}`).toBe(
    'It would have alerted to nothing in the last 7 days',
  );
  expect(`${previewWords(aPreview({ range: { from: at(-3_600), to: NOON } }))}`).toMatch(/ 3 incidents since <!date/);
});

test('the preview lists the incidents and what stayed below the threshold, and fits however many there are', () => {
  const message = previewMessage(aPreview());
  expect(wordsOf(message)).toContain('Email · SendGrid: key expired (48 failures, #7)');
  expect(wordsOf(message)).toMatch(/Below the threshold\n.*Email · SendGrid: key expired \(2 failures, #9\)/);
  const many = Array.from({ length: 400 }, () => incident({ provider: HOSTILE, cause: HOSTILE.repeat(9) }));
  const long = previewMessage(aPreview({ incidents: many, below: many }));
  expectFit(long);
  expect(wordsOf(long)).toMatch(/Not shown: 3\d\d earlier incidents, 390 more incidents below the threshold/);
});

test('the preview is shown for a new watch, for a changed one and before a confirmation, with a button for details', () => {
  const environments = [PRODUCTION];
  const preview = aPreview();
  const unconfirmed = {
    is: 'unconfirmed',
    unknown: [],
    sharing: 'shared',
    settings: UNFILTERED,
    zoneFrom: 'said',
    addresses: [],
  } as const;
  for (const message of [
    madeMessage(WATCH, { zoneFrom: 'said', environments, preview }),
    changedMessage(WATCH, 'U0BEN', environments, preview),
    unconfirmedMessage(unconfirmed, preview),
  ]) {
    expect(wordsOf(message)).toContain('🔮 It would have alerted to 3 incidents in the last 7 days');
    expect(buttonsOf(message)).toContain('Show them');
    expectFit(message);
  }
});

test('the preview has no [Show them] if there is nothing to show', () => {
  const preview = aPreview({ incidents: [], below: [] });
  expect(buttonsOf(madeMessage(WATCH, { zoneFrom: 'said', environments: [PRODUCTION], preview }))).toEqual([
    'Edit',
    'Remove',
  ]);
});
