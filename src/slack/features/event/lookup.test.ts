import { describe, expect, test } from 'vitest';
import { judge } from '../../../judging/judge.ts';
import { anEvent } from '../../../service/event.testing.ts';
import { parseRun, RUN } from '../../kit/buttons.ts';
import { aLine, buttonsOf, buttonValue, expectFit, NOON, STAGING, wordsOf } from '../../slack.testing.ts';
import { eventsMessage } from './events.ts';
import { choiceMessage } from './lookup.ts';

const SUBSCRIBER = { subscriber: ['user-0042'] };
const EVENT = { event: anEvent(), judgment: judge(anEvent(), NOON) };
const ONE = { events: [EVENT], from: 0, unreadable: 0, misfits: [], next: null, end: NOON, aheadMs: null };

describe("a subscriber's events", () => {
  test('go on after those shown, by the same command', () => {
    const line = aLine({ filters: SUBSCRIBER, page: { offset: 50, cursor: '50 1' } });
    const shown = eventsMessage(line, { after: NOON }, { ...ONE, next: 100 });
    expect(wordsOf(shown)).toContain('51–51 events; there are more');
    expect(parseRun(buttonValue(shown, RUN) ?? '')).toEqual({
      text: 'events subscriber:"user-0042" env:"production" since:"2026-03-04T12:00:00.000Z"',
      page: { offset: 51, cursor: `100 ${NOON.getTime()}` },
    });
  });

  test("aren't said to be missing where an empty page has others after it", () => {
    const shown = eventsMessage(aLine(), {}, { ...ONE, events: [], next: 50 });
    expect(wordsOf(shown)).toContain('no events; there are more');
    expect(buttonsOf(shown)).toEqual(['Load more']);
  });
});

test('a lookup of several things is a choice, and says if there are more', () => {
  const shown = choiceMessage(
    Array.from({ length: 11 }, (_, n) => ({
      environment: STAGING,
      target: n === 0 ? { kind: 'event', id: 'a1' } : { kind: 'email', id: `anna${n}@example.com` },
    })),
  );
  expect(wordsOf(shown)).toContain('More than 10 IDs are in this text. Which one?');
  expect(wordsOf(shown)).toContain('staging · Email a•••@example.com');
  expect(buttonsOf(shown)).toHaveLength(10);
  expectFit(shown);
});
