import { expect, test } from 'vitest';
import { type HistoryEvent, peopleIn } from './history.ts';

const at = new Date('2026-05-04T12:00:00.000Z');

test.each<[named: readonly string[], event: HistoryEvent]>([
  [['U0ANN'], { what: 'acknowledged', by: 'U0ANN', at }],
  [['U0ANN', 'U0BEN'], { what: 'assigned', by: 'U0ANN', to: 'U0BEN', at }],
  [['U0ANN'], { what: 'resolved', by: 'U0ANN', at }],
  [[], { what: 'resolved', by: null, at }],
  [[], { what: 'relapsed', at }],
])('names %j in %j', (named, event) => {
  expect(peopleIn(event)).toEqual(named);
});
