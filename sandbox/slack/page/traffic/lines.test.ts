import { expect, test } from 'vitest';
import type { TrafficLine } from '../../traffic/traffic-protocol.ts';
import { moodOf, outcomeText, shownLines, withNews } from './lines.ts';

const line = (id: number, more: Partial<TrafficLine> = {}): TrafficLine => ({
  ...{ id, at: 0, kind: 'call', what: 'auth.test', about: '', outcome: { is: 'accepted' } },
  ...more,
});
const ids = (lines: readonly TrafficLine[]) => lines.map(({ id }) => id);

test('withNews replaces a changed line and drops what Slack has dropped', () => {
  const waiting = line(2, { kind: 'envelope', outcome: { is: 'waiting' } });
  const acknowledged = line(2, { kind: 'envelope', outcome: { is: 'acknowledged', afterMs: 12 } });
  expect(withNews([line(1), waiting, line(3)], [line(4), acknowledged])).toEqual([
    line(1),
    acknowledged,
    line(3),
    line(4),
  ]);
  const many = Array.from({ length: 500 }, (_, index) => line(index + 1));
  expect(ids(withNews(many, [line(501)]).slice(0, 2))).toEqual([2, 3]);
});

test('shownLines filters, newest first', () => {
  const refused = line(2, { outcome: { is: 'refused', error: 'no_text', hint: null, problems: [] } });
  const envelope = line(3, { kind: 'envelope', outcome: { is: 'never acknowledged', error: 'operation_timeout' } });
  const lines = [line(1), refused, envelope, line(4, { kind: 'connection', outcome: { is: 'noted' } })];
  expect(ids(shownLines(lines, 'All'))).toEqual([4, 3, 2, 1]);
  expect(ids(shownLines(lines, 'Refused'))).toEqual([3, 2]);
  expect(ids(shownLines(lines, 'Calls'))).toEqual([2, 1]);
  expect(ids(shownLines(lines, 'Envelopes'))).toEqual([3]);
  expect(ids(shownLines(lines, 'Connections'))).toEqual([4]);
});

const FIRST = 'must be less than 151 characters at /blocks/0/text/text';
const PROBLEMS = [
  { message: 'must be less than 151 characters', pointer: '/blocks/0/text/text' },
  { message: 'missing required field: type', pointer: '/blocks/1' },
];

test.each([
  [{ is: 'accepted' }, 'ok', 'good'],
  [{ is: 'acknowledged', afterMs: 12.4 }, 'acknowledged in 12 ms', 'good'],
  [
    { is: 'refused', error: 'missing_scope', hint: 'needs chat:write', problems: [] },
    'missing_scope: needs chat:write',
    'bad',
  ],
  [{ is: 'never acknowledged', error: 'operation_timeout' }, 'never acknowledged: operation_timeout', 'bad'],
  [
    { is: 'refused', error: 'invalid_blocks', hint: null, problems: PROBLEMS },
    `invalid_blocks: ${FIRST} (and 1 more)`,
    'bad',
  ],
  [{ is: 'lost' }, 'answer lost', 'bad'],
  [{ is: 'waiting' }, 'waiting …', 'open'],
] as const)('outcomeText describes the outcome: %o', (outcome, text, mood) => {
  expect([outcomeText(line(1, { outcome })), moodOf(line(1, { outcome }))]).toEqual([text, mood]);
});
