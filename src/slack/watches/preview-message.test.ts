import { expect, test } from 'vitest';
import type { Preview, PreviewedIncident } from '../../domain/alerting/preview.ts';
import { UNFILTERED } from '../../domain/watches/watch.ts';
import { aTally, at, buttonsOf, expectFit, HOSTILE, NOON, PRODUCTION, wordsOf } from '../slack.testing.ts';
import { changedMessage, madeMessage, unconfirmedMessage } from './message.ts';
import { previewMessage, previewWords } from './preview-message.ts';

const WEEK = { from: at(-7 * 86_400), to: NOON };
const WATCH = { id: 'w', channel: 'C0ONCALL', number: 1, createdAt: NOON, createdBy: 'U0ANN', settings: UNFILTERED };

const incident = (change: Partial<PreviewedIncident> = {}) => ({
  ...{ episodeId: 7, group: aTally().group, failures: 48, reason: 'new' as const },
  ...change,
});

function aPreview(change: Partial<Preview> = {}): Preview {
  const messages = [-7_200, -3_600, -3_000].map((second) => ({ at: at(second), incidents: [incident()] }));
  return { range: WEEK, messages, below: [incident({ episodeId: 9, failures: 2 })], ...change };
}

test('the preview shows how many messages there would have been, how many in an hour, and what stayed below the threshold', () => {
  expect(`${previewWords(aPreview())}`).toBe(
    'It would have posted 3 messages in the last 7 days, at most 2 in an hour; 1 incident stayed below its threshold',
  );
  expect(`${previewWords(aPreview({ messages: [], below: [] }))}`).toBe(
    'It would have posted nothing in the last 7 days',
  );
});

test('the preview says since when failures are known if that is less than two days', () => {
  const words = `${previewWords(aPreview({ range: { from: at(-3_600), to: NOON } }))}`;
  expect(words).toMatch(/^It would have posted 3 messages since <!date/);
});

test('the preview lists the messages, newest first, and what stayed below the threshold', () => {
  const message = previewMessage(aPreview());
  expect(wordsOf(message)).toContain('Email · SendGrid — order-shipped (48 failures, #7)');
  expect(wordsOf(message)).toContain('Below the threshold\nEmail · SendGrid — order-shipped (2 failures, #9)');
  expectFit(message);
});

test('the preview shows each of its lines whole, and counts the others', () => {
  const group = { ...aTally().group, workflow: `order-shipped-${'x'.repeat(60)}` };
  const messages = Array.from({ length: 15 }, (_, n) => ({
    at: at(n),
    incidents: [1, 2, 3].map((id) => incident({ episodeId: n * 10 + id, group })),
  }));
  const below = Array.from({ length: 10 }, (_, n) =>
    incident({ episodeId: 1_000 + n, group: { ...group, workflow: HOSTILE } }),
  );
  const message = previewMessage(aPreview({ messages, below }));
  expectFit(message);
  const words = wordsOf(message);
  for (const number of [1, 143, 1_009]) expect(words).toContain(`48 failures, #${number})`);
  expect(words).not.toContain('Not shown');
});

test('the preview fits, however many messages there are', () => {
  const group = { ...aTally().group, workflow: HOSTILE.repeat(9), provider: HOSTILE };
  const many = Array.from({ length: 400 }, () => incident({ group }));
  const messages = Array.from({ length: 400 }, (_, n) => ({ at: at(n), incidents: many }));
  const message = previewMessage(aPreview({ messages, below: many }));
  expectFit(message);
  const shown = wordsOf(message).match(/, 397 more incidents$/gm)?.length ?? 0;
  expect(wordsOf(message)).toContain(`Not shown: ${400 - shown} earlier messages`);
  expect(wordsOf(message)).toContain('390 more incidents below the threshold');
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
    expect(wordsOf(message)).toContain('🔮 It would have posted 3 messages in the last 7 days');
    expect(buttonsOf(message)).toContain('Show them');
    expectFit(message);
  }
});

test('the preview has no [Show them] if there is nothing to show', () => {
  const preview = aPreview({ messages: [], below: [] });
  expect(buttonsOf(madeMessage(WATCH, { zoneFrom: 'said', environments: [PRODUCTION], preview }))).toEqual([
    'Edit',
    'Remove',
  ]);
});
