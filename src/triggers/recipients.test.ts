import fc from 'fast-check';
import { expect, test } from 'vitest';
import { lineFor, parseRecipients } from './plan.ts';

const rowsOf = (text: string) => parseRecipients(text).map(({ subscriberId, content }) => [subscriberId, content]);

test.each([
  ['user-1\nuser-2', ['user-1', 'user-2']],
  ['user-1, user-2;user-3', ['user-1', 'user-2', 'user-3']],
  ['- user-1\n• `user-2`\u200b\n\n', ['user-1', 'user-2']],
  ['["user-1", "user-2"]', ['user-1', 'user-2']],
])('IDs are read from %j', (text, ids) => {
  expect(rowsOf(text)).toEqual(ids.map((id) => [id, null]));
});

test.each([
  'user-1 {"orderId": "A-17"}',
  'user-1,{"orderId": "A-17"}',
  'user-1\t{“orderId”: “A-17”}',
  '{"subscriber": "user-1", "orderId": "A-17"}',
])('a row has a payload of its own in %j', (row) => {
  expect(rowsOf(`${row}\nuser-2`)).toEqual([
    ['user-1', { orderId: 'A-17' }],
    ['user-2', null],
  ]);
});

test.each([
  ['user-1\nuser-2 {"a": }', "Line 2: This isn't JSON"],
  ['user-1 user-2 {}', 'Line 1: a payload goes with one subscriber.'],
  ['{"a": 1}', 'Line 1: the subscriber is missing.'],
  ['subscriber,orderId\nuser-1,A-17', 'Line 1: tables can’t be read.'],
  ['user-1\n•••71', 'Line 2: an ID with ••• in it is masked.'],
  ['x'.repeat(256), 'Line 1: an ID has at most 255 characters.'],
  [' , ', 'Give at least one subscriber ID.'],
])('a mistake is named with its line: %j', (text, what) => {
  expect(() => parseRecipients(text)).toThrow(what);
});

test('rows are read back as they were written', () => {
  const id = fc.stringMatching(/^[a-z][\w.@-]{0,20}$/).filter((text) => !/^subscribers?$/i.test(text));
  const payload = fc.dictionary(fc.string(), fc.oneof(fc.string(), fc.boolean(), fc.constant(null)));
  fc.assert(
    fc.property(fc.array(fc.tuple(id, payload), { minLength: 1 }), (rows) => {
      const written = rows.map(([subscriberId, content]) => `${subscriberId} ${JSON.stringify(content)}`);
      expect(rowsOf(written.join('\n'))).toEqual(
        rows.map(([one, content]) => [one, JSON.parse(JSON.stringify(content))]),
      );
    }),
  );
});

test.each(['user-1', 'auth0|5f', 'a b', '[x]', 'a,b', '"q"', '{"a": 1}', '- x'])(
  'any ID is read from its line: %s',
  (id) => {
    expect(rowsOf(lineFor(id)).map(([subscriberId]) => subscriberId)).toEqual([id]);
  },
);
