import { describe, expect, test } from 'vitest';
import { anEnvironment } from '../../domain/environment.testing.ts';
import type { Gap } from '../../domain/polling/gap.ts';
import { at, expectFit, NOON, wordsOf } from '../slack.testing.ts';
import { gapMessage } from './gap-message.ts';

const MINUTE = 60;
const production = anEnvironment({ apiKeyVariable: 'NOTIF_PRODUCTION_API_KEY' });
const open: Gap = {
  id: 'gap-1',
  environment: 'production',
  from: NOON,
  to: null,
  cause: 'key-refused',
  openedAt: at(5 * MINUTE),
  closedAt: null,
  unchecked: [],
  givenUp: [],
  events: 0,
  failures: 0,
};
const drawn = (gap: Partial<Gap>) => {
  const content = { kind: 'gap', id: 'm', channel: 'C1', gap: { ...open, ...gap }, mention: null } as const;
  const message = gapMessage(content, [production]);
  expectFit(message);
  return wordsOf(message).split('\n');
};
const ended = { to: at(40 * MINUTE), unchecked: [{ from: at(10 * MINUTE), to: at(40 * MINUTE) }] };

describe('a gap', () => {
  test("is reported while it's open: since when, why, what to do", () => {
    expect(drawn({}).slice(0, 4)).toEqual([
      "⚠️ production · can't be read",
      "Not checked since 2026-03-04 12:00 UTC: the API key was refused, or doesn't allow this.",
      'Check NOTIF_PRODUCTION_API_KEY. Run /notif status for details.',
      'Failures in the meantime are reported as soon as events can be read again.',
    ]);
  });

  test('shows what is still to be checked once checking works again', () => {
    expect(drawn({ ...ended, events: 900, failures: 3 }).slice(0, 5)).toEqual([
      '⏳ production · reading again, catching up',
      "Not checked from 2026-03-04 12:00 UTC to 2026-03-04 12:40 UTC: the API key was refused, or doesn't allow this.",
      'Reading again since 2026-03-04 12:40 UTC.',
      'Still to be checked: 2026-03-04 12:10 UTC – 2026-03-04 12:40 UTC.',
      'So far 900 events checked, 3 failed.',
    ]);
  });

  test('is closed with the failures found in it', () => {
    expect(
      drawn({ ...ended, unchecked: [], closedAt: at(43 * MINUTE), events: 3_400, failures: 12 }).slice(0, 3),
    ).toEqual([
      '✅ production · caught up',
      "Not checked from 2026-03-04 12:00 UTC to 2026-03-04 12:40 UTC: the API key was refused, or doesn't allow this.",
      'Closed at 2026-03-04 12:43 UTC: 3,400 events checked, 12 failed.',
    ]);
  });

  test('says what was not recovered', () => {
    const words = drawn({ ...ended, unchecked: [], givenUp: ended.unchecked, closedAt: at(43 * MINUTE) });
    expect(words[0]).toBe('⚠️ production · part of the time stays unchecked');
    expect(words[2]).toBe(
      'Not recovered: 2026-03-04 12:10 UTC – 2026-03-04 12:40 UTC. Failures in that window were never reported.',
    );
  });

  test("mentions the watch's person, and has a fallback text that says everything", () => {
    const content = {
      kind: 'gap',
      id: 'm',
      channel: 'C1',
      gap: open,
      mention: { kind: 'person', id: 'U0ANN' },
    } as const;
    expect(gapMessage(content, []).text).toMatch(
      /^<@U0ANN> production: can't be read\. Not checked since <!date.*>: the API key was refused, or doesn't allow this\. Check its key\. Run .notif status for details\. Failures in/,
    );
  });
});
