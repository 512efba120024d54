import { expect, test } from 'vitest';
import { InputError } from '../../domain/errors.ts';
import { seenEvent } from '../../domain/lookups/seen.ts';
import { aDetail, aFailedEvent, aJob, anEvent } from '../../domain/service/event.testing.ts';
import { aMessage } from '../../domain/service/message.testing.ts';
import { buttonsOf, expectFit, HOSTILE, wordsOf } from '../slack.testing.ts';
import { eventCard } from './card-message.ts';
import { found, judged, PERSON } from './event-card.testing.ts';
import { type Part, parseMore, writeMore } from './more-message.ts';
import { restOf } from './rest-message.ts';

const request = { environment: 'production', target: { kind: 'event', id: '65f000000000000000000001' } } as const;
const rest = (event: ReturnType<typeof found>, part: Part, from: number) =>
  restOf(seenEvent(event, 'requester'), { request, part, from }, PERSON);

const details = Array.from({ length: 3 }, (_, n) => aDetail({ id: `d${n}`, detail: HOSTILE.repeat(3) }));
const jobs = Array.from({ length: 80 }, (_, n) =>
  aJob({ id: `j${n}`, stepName: `step ${n}.`, status: 'failed', details }),
);

/** Returns the rows of steps that a message shows. */
const stepsIn = (shown: Parameters<typeof wordsOf>[0]): string[] => wordsOf(shown).match(/step \d+\./g) ?? [];

test("an event's next page continues until every step was shown once", () => {
  const event = found(anEvent({ jobs }));
  let shown = eventCard(seenEvent(event, 'requester'), PERSON, []);
  const seen = stepsIn(shown);
  while (buttonsOf(shown).includes('More steps')) {
    expect(wordsOf(shown)).toMatch(/\d+ more/);
    // The trigger is a row too.
    shown = rest(event, 'steps', seen.length + 1);
    expectFit(shown);
    seen.push(...stepsIn(shown));
  }
  expect(seen).toEqual(jobs.map(({ stepName }) => stepName));
});

test("an event's next page shows the messages that the card had no room for", () => {
  const event = found(
    anEvent(),
    Array.from({ length: 20 }, (_, n) => aMessage({ provider: `provider-${n}` })),
  );
  const card = eventCard(seenEvent(event, 'requester'), PERSON, []);
  expect(wordsOf(card)).toContain('12 more');
  expect(buttonsOf(card)).toContain('More messages');
  expect(wordsOf(rest(event, 'messages', 8))).toMatch(/messages 9–20 of 20[\s\S]*provider-8[\s\S]*provider-19/);
});

test("an event's next page links to each event that a digest merged", () => {
  const items = [anEvent({ id: 'e1' }), aFailedEvent({ id: 'e2' })].map(judged);
  const event = { ...found(anEvent()), merged: { read: true, items, hasMore: false } } as const;
  const shown = rest(event, 'merged', 0);
  expect(wordsOf(shown)).toContain('production · order-shipped for user-1 · merged events 1–2 of 2');
  expect(buttonsOf(shown)).toEqual(['Look up', 'Look up']);
});

test("an event's next page says when there are no more rows", () => {
  expect(() => rest(found(anEvent()), 'steps', 9)).toThrow(InputError);
});

test("the button for an event's next page survives a round trip", () => {
  expect(parseMore(writeMore({ request, part: 'merged', from: 7 }))).toEqual({ request, part: 'merged', from: 7 });
  expect(['', 'v1|steps|1', 'v1|all|1|x', 'v1|steps|x|y'].map(parseMore)).toEqual([null, null, null, null]);
});
