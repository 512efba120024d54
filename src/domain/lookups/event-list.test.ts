import { expect, test } from 'vitest';
import { anEvent, at } from '../service/event.testing.ts';
import { pinnedEnd } from './event-list.ts';

const asked = at(600);
const listed = (seconds: readonly (number | null)[], unreadable: readonly (number | null)[] = []) => ({
  items: seconds.map((one, n) => anEvent({ id: `event-${n}`, createdAt: one === null ? null : at(one) })),
  unreadable: unreadable.map((one, n) => ({ key: `odd-${n}`, createdAt: one === null ? null : at(one) })),
});

test('a list with the newest events first ends a second after the newest one, whatever the service says it is', () => {
  expect(pinnedEnd(listed([60, 30, 30]), asked)).toEqual(at(61));
  expect(pinnedEnd(listed([60, 30], [90]), asked)).toEqual(at(91));
});

test.each<[string, (number | null)[]]>([
  ['the oldest first', [30, 60]],
  ['no order', [60, 30, 45]],
  ['one event', [60]],
  ['no events', []],
])('a list with %s ends when it was asked for', (_, seconds) => {
  expect(pinnedEnd(listed(seconds), asked)).toEqual(asked);
});

test('a list never ends after it was asked for', () => {
  expect(pinnedEnd(listed([700, 30]), asked)).toEqual(asked);
  expect(pinnedEnd(listed([60, null, 30]), asked)).toEqual(asked);
  expect(pinnedEnd(listed([60, 30], [null]), asked)).toEqual(asked);
});
