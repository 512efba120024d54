import { describe, expect, test } from 'vitest';
import { judge } from '../../../failures/judge.ts';
import { anEvent } from '../../../service/event.testing.ts';
import { parseRun, RUN } from '../../kit/buttons.ts';
import { forEveryone } from '../../kit/for-everyone.ts';
import { aLine, buttonsOf, buttonValue, expectFit, NOON, STAGING, wordsOf } from '../../slack.testing.ts';
import { eventsMessage } from './events.ts';
import { choiceMessage } from './lookup.ts';

const SUBSCRIBER = { subscriber: ['user-0042'] };
const EVENT = { event: anEvent(), judgement: judge(anEvent(), NOON) };
const ONE = { events: [EVENT], from: 0, unreadable: 0, misfits: [], next: null, end: NOON };

describe("a subscriber's events", () => {
  test('are listed, each with a choice that shows its card', () => {
    const shown = eventsMessage(aLine({ filters: SUBSCRIBER }), {}, { ...ONE, unreadable: 1 });
    expect(wordsOf(shown)).toContain('production · Subscriber user-0042 · 1 event');
    expect(wordsOf(shown)).toContain('1 unreadable');
    expect(JSON.stringify(shown.blocks)).toContain('"accessibility_label":"✅ delivered · txn_0001 · user-1"');
    expect(JSON.stringify(shown.blocks)).toMatch(/"value":"v1\|event \\"\w+\\" env:\\"production\\""/);
    expectFit(shown);
  });

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

  test('mask an address, and show it to nobody else in their buttons', () => {
    const line = aLine({ filters: { email: ['anna@example.com'], search: ['anna@'] } });
    const shown = eventsMessage(line, {}, { ...ONE, next: 50 });
    expect(wordsOf(shown)).toContain('Email a•••@example.com or Search •••');
    expect(JSON.stringify(forEveryone(shown))).not.toContain('anna@');
  });
});

describe('a lookup of several things', () => {
  test('is a choice, and says if there are more', () => {
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
});
