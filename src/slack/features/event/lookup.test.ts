import { describe, expect, test } from 'vitest';
import { judge } from '../../../failures/judge.ts';
import { createSeal } from '../../../lib/seal.ts';
import { type EventList, listRequest } from '../../../lookups/event-list.ts';
import { anEvent, aWorkflow } from '../../../service/event.testing.ts';
import { buttonsOf, buttonValue, expectFit, HOSTILE, NOON, PRODUCTION, STAGING, wordsOf } from '../../slack.testing.ts';
import { LIST, listButton, listMessage, parseList } from './events.ts';
import { choiceMessage, formOfCommand, idsToLookUp, nothingToLookFor } from './lookup.ts';

const seal = createSeal('xoxb-secret');

function aList(change: Partial<EventList> = {}): EventList {
  const event = anEvent();
  return {
    environment: PRODUCTION,
    request: {
      ...listRequest(PRODUCTION, { subscriber: ['user-0042'] }, NOON),
      end: NOON,
    },
    events: [{ event, judgement: judge(event, NOON), at: 0 }],
    unreadable: 0,
    next: null,
    ...change,
  };
}

describe("a subscriber's events", () => {
  test('are listed, each with a choice that shows its card', () => {
    const shown = listMessage(aList({ unreadable: 1 }), seal);
    expect(wordsOf(shown)).toContain('production · Subscriber user-0042 · 1 event');
    expect(wordsOf(shown)).toContain('1 unreadable');
    expect(JSON.stringify(shown.blocks)).toContain('"value":"v1|production|event|');
    expectFit(shown);
  });

  test('go on after those shown', () => {
    const { request, events } = aList();
    const later = events.map((event) => ({ ...event, at: 50 }));
    const shown = listMessage(aList({ request: { ...request, from: 50 }, events: later, next: 100 }), seal);
    expect(wordsOf(shown)).toContain('51–51 events; there are more');
    expect(parseList(buttonValue(shown, LIST) ?? '', seal)).toEqual({ ...request, from: 100 });
  });

  test('may not exist', () => {
    const nothing = listMessage(aList({ events: [] }), seal);
    expect(wordsOf(nothing)).toContain('Upper and lower case matter, and so does env:.');
    expectFit(nothing);
  });

  test("aren't said to be missing where an empty page has others after it", () => {
    const shown = listMessage(aList({ events: [], next: 50 }), seal);
    expect(wordsOf(shown)).toContain('there are more');
    expect(buttonsOf(shown)).toEqual(['Load more']);
  });

  test('show an address masked', () => {
    const { request } = aList();
    const filter = { email: ['anna@example.com'] };
    const shown = listMessage(aList({ request: { ...request, filter } }), seal);
    expect(wordsOf(shown)).toContain('Email a•••@example.com');
    expect(wordsOf(shown) + shown.text).not.toContain('anna@');
  });

  test('hide an address from Slack, in their buttons too', () => {
    const { request } = aList();
    const asked = { ...request, filter: { email: ['anna@example.com'] } };
    expect(JSON.stringify(listMessage(aList({ request: asked, next: 50 }), seal))).not.toContain('anna@');
    expect(parseList(listButton('Older', asked, seal).value ?? '', seal)).toEqual(asked);
    expect(parseList(listButton('Older', asked, createSeal('another')).value ?? '', seal)).toBeNull();
  });

  test('fit, and escape whatever they contain', () => {
    const { request, events } = aList();
    const hostile = { ...request, filter: { subscriber: [HOSTILE.repeat(3)], topic: [HOSTILE] } };
    const many = Array.from({ length: 50 }, () => events).flat();
    const hostileEvents = many.map(({ event, judgement }, at) => {
      const workflow = aWorkflow({ id: 'w', identifier: HOSTILE.repeat(20), name: HOSTILE });
      return { event: { ...event, workflow }, judgement, at };
    });
    expectFit(listMessage(aList({ request: hostile, events: hostileEvents, next: 50 }), seal));
    expectFit(listMessage(aList({ request: hostile, events: [] }), seal));
  });

  test.each([
    '',
    'v1|production|subscriber|a|x|0',
    'v1|production|subscriber|a|1|0|x',
    'v1|production|event|a|1|0',
    'v0|production|subscriber|a|1|0',
  ])('are null for the button value %j', (value) => {
    expect(parseList(value, seal)).toBeNull();
  });
});

describe('a lookup of several things', () => {
  test('is a choice, and says if there are more', () => {
    const choices = [
      { environment: PRODUCTION, target: { kind: 'event', id: 'a1' } },
      { environment: STAGING, target: { kind: 'email', id: 'anna@example.com' } },
    ] as const;
    const shown = choiceMessage(choices, { areMore: true, now: NOON, seal });
    expect(wordsOf(shown)).toContain('More than 2 IDs are in this text. Which one?');
    expect(wordsOf(shown)).toContain('staging · Email a•••@example.com');
    expect(buttonsOf(shown)).toEqual(['Look up', 'Look up']);
    expectFit(shown);
  });

  test('asks for something if there is nothing', () => {
    expect(wordsOf(nothingToLookFor())).toContain('There is no ID in this text.');
    expectFit(nothingToLookFor());
  });

  test('shows a button for a command that opens a form', () => {
    const shown = formOfCommand('trigger order-shipped', seal);
    expect(wordsOf(shown)).toContain('/notif trigger order-shipped opens a form');
    expect(buttonsOf(shown)).toEqual(['Open form']);
    expect(buttonsOf(formOfCommand(`trigger ${'x'.repeat(3_000)}`, seal))).toEqual([]);
    expectFit(shown);
  });
});

const PARTS = { commands: ['event', 'failures', 'note'], environments: [PRODUCTION] };
const idsIn = (text: string) => idsToLookUp(PARTS, text).map(({ target }) => target.id);

test.each([
  'failures',
  'failurs since:2h',
  'event txn_8f2c91 env:production',
  'note #17 see txn_8f2c91 for details',
  'Note: #17 see txn_8f2c91',
  '/notif note #17 see txn_8f2c91',
  '`note #17 see txn_8f2c91 for details`',
  'thank you',
])('a message that begins with a command, or has no ID, is run: %s', (text) => {
  expect(idsIn(text)).toEqual([]);
});

test.each(['txn_8f2c91', 'what about txn_8f2c91?', 'txn_8f2c91 env:staging', 'noted: txn_8f2c91'])(
  'the ID in any other message is looked up: %s',
  (text) => {
    expect(idsIn(text)).toEqual(['txn_8f2c91']);
  },
);
