import { expect, test } from 'vitest';
import { explainCause } from '../../../src/domain/causes/explain-cause.ts';
import { digestMessage } from '../../../src/slack/digest/message.ts';
import { aDigest, aRow, aTally, at, NOON, PRODUCTION, someLately } from '../../../src/slack/slack.testing.ts';
import { shownRows, shownSum } from './shown-rows.ts';

const OPTIONS = { environment: PRODUCTION, possibleRepeat: false, isNew: true, explainCause };
const drawn = (rows: readonly ReturnType<typeof aRow>[]) => digestMessage(aDigest({ rows }), OPTIONS);
const shown = (row: ReturnType<typeof aRow>) => shownRows(drawn([row]))[0];
const ms = (seconds: number) => at(seconds).getTime();

const RISING = someLately({ trend: [1, 1, 1, 1, 1, 1, 9, 9, 9, 9, 9, 9] });

test("parses everything that a digest's row says, so that a change of its words can't end a check", () => {
  const tally = aTally({ firstSeen: at(-7_200) });
  const mute = { by: 'U0ANN', from: NOON, until: at(600) };
  const row = aRow({ tally, lately: RISING, relapses: 2, reason: 'missed', missed: 412, mute });
  expect(shown(row)).toEqual({
    number: 1,
    place: 'Email · SendGrid',
    cause: 'The provided authorization grant is invalid (401)',
    state: 'firing',
    relapses: 2,
    since: ms(-7_200),
    total: 48,
    missed: 412,
    mutedUntil: ms(600),
    now: {
      to: ms(192),
      failures: 48,
      attempts: 60,
      percent: '80%',
      trend: 'rising',
      lastFailure: ms(192),
      lastSuccess: ms(180),
    },
  });
});

test.each([
  { is: 'firing' },
  { is: 'quiet', since: NOON },
  { is: 'recovering', since: NOON, sendingSince: at(60) },
  { is: 'resolved', at: NOON, by: null },
] as const)('parses the state $is', (state) => {
  const row = shown(aRow({ state }));
  expect(row?.state).toBe(state.is);
  expect(row?.now === null).toBe(state.is === 'resolved');
});

test('parses the sum above several rows', () => {
  const rows = [1, 2].map((episodeId) => aRow({ episodeId }));
  expect(shownSum(drawn(rows))).toEqual({ failures: 96, incidents: 2 });
});

test('throws where an open row has other words for what happens now', () => {
  const text = '*Email · SendGrid — order-shipped* · #1\nFailed: Mailbox full\nSince <!date^1^{time}|x>: 3 failures';
  const blocks = [{ type: 'section', text: { type: 'mrkdwn', text } }] as const;
  expect(() => shownRows({ blocks: [...blocks] })).toThrow('Now');
});
