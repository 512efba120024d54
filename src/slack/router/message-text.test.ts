import fc from 'fast-check';
import { expect, test } from 'vitest';
import { recognize } from '../../lib/input/ids.ts';
import cases from './message-text.cases.json' with { type: 'json' };
import { MOST_CHARACTERS, textsIn } from './message-text.ts';

/** The messages are as Slack sends them. Each is about one transaction, and has much that looks like an ID. */
test.each(cases)(
  'the IDs in a message are those that it is about, and nothing from its markup: $what',
  ({ message }) => {
    expect(recognize(textsIn(message), []).map(({ target }) => `${target.kind} ${target.id}`)).toEqual([
      'transaction txn_8f2c91',
    ]);
  },
);

test('the texts in anything that Slack can send never throw, and stay within the limit', () => {
  fc.assert(
    fc.property(fc.anything(), (message) => {
      expect(textsIn(message).length).toBeLessThanOrEqual(MOST_CHARACTERS);
    }),
  );
  expect(textsIn({ text: 'a '.repeat(1_000_000) }).length).toBeLessThanOrEqual(MOST_CHARACTERS);
});
