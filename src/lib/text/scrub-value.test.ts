import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { scrub, scrubInFull, scrubValue } from './scrub.ts';
import cases from './scrub-value.cases.json' with { type: 'json' };

const words = 'The mailbox of anna@example.com is full. ';

test('scrubInFull keeps a long text, without any secrets and contacts, up to 8,000 characters', () => {
  expect(scrubInFull(words.repeat(190))).toBe('The mailbox of a•••@example.com is full. '.repeat(190).trim());
  expect(scrubInFull(words.repeat(200))).toMatch(/…$/);
});

describe('scrubValue', () => {
  test('masks by name, by shape, and in keys', () => {
    expect(scrubValue(cases.payload.sent)).toEqual(cases.payload.shown);
  });

  test.each(cases.phones)('masks the phone number in %j', (payload) => {
    const scrubbed = JSON.stringify(scrubValue(payload));
    expect(scrubbed).not.toMatch(/\d{3}/);
    expect(scrub(JSON.stringify(payload))).toBe(scrubbed);
  });

  test.each(cases.unchanged)('leaves %j unchanged', (payload) => {
    expect(scrubValue(payload)).toEqual(payload);
  });

  test.each(cases.named)('masks a value by the name beside it, whatever is around it: %j', (...[value, scrubbed]) => {
    expect(scrubValue(value)).toEqual(scrubbed);
  });

  test('masks what was sent to a provider, and whom a message was from and to, but not the answer', () => {
    const sent = { config: { url: 'x', data: '{"text":"Hi Jane"}' }, request: { body: { text: 'Hi Jane' } } };
    const mail = { commonHeaders: { subject: 'Hi Jane' }, headers: [{ name: 'Subject', value: 'Hi Jane' }] };
    const answer = { response: { data: { error: 'invalid' } }, data: 'gone' };
    expect(scrubValue({ ...sent, ...mail, ...answer })).toEqual({
      config: { url: 'x', data: '•••' },
      request: { body: '•••' },
      commonHeaders: '•••',
      headers: [{ name: 'Subject', value: '•••' }],
      ...answer,
    });
    expect(scrub(JSON.stringify({ firstName: 'Jane Maria', name: 'digest' }))).toBe(
      '{"firstName":"J. M.","name":"digest"}',
    );
  });

  test('scrubs JSON in a text in JSON, which stays JSON', () => {
    const inner = JSON.stringify({ body: JSON.stringify({ to: 'anna@example.com', password: 'hunter2' }) });
    const body = JSON.stringify({ to: 'a•••@example.com', password: '•••' });
    expect(scrubValue({ inner })).toEqual({ inner: JSON.stringify({ body }) });
  });

  test('reads JSON in a text as far as eight levels in all, and as text beyond', () => {
    const within = (levels: number, inner: string): unknown => (levels === 0 ? inner : [within(levels - 1, inner)]);
    expect(scrubValue(within(7, '{"a": 1}'))).toEqual(within(7, '{"a":1}'));
    expect(scrubValue(within(7, '[[1]]'))).toEqual(within(7, '["…"]'));
    expect(scrubValue(within(8, '{"a": 1}'))).toEqual(within(8, '{"a": 1}'));
  });

  test('ends texts and fields with an ellipsis once it has too many', () => {
    const texts = scrubValue(Array.from({ length: 300 }, (_, n) => `text ${n}`));
    expect(texts).toHaveLength(300);
    expect(texts).toEqual(expect.arrayContaining(['text 100', '…']));
    const fields = Object.fromEntries(Array.from({ length: 3_000 }, (_, n) => [`field ${n}`, n]));
    expect(Object.entries(Object(scrubValue(fields))).at(-1)).toEqual(['…', '…']);
  });

  test('ends what is too deep or too large with an ellipsis', () => {
    const deep = JSON.parse(`${'['.repeat(1_000)}${']'.repeat(1_000)}`);
    expect(JSON.stringify(scrubValue(deep))).toBe('[[[[[[[[["…"]]]]]]]]]');
    const wide = scrubValue(Array.from({ length: 50_000 }, () => 1));
    expect(wide).toHaveLength(2_000);
    expect(wide).toEqual(expect.arrayContaining(['…']));
    expect(scrubValue(wide)).toEqual(wide);
  });

  test('never throws, and changes nothing when repeated', () => {
    fc.assert(
      fc.property(fc.anything({ withBigInt: true, withDate: true, withNullPrototype: true, maxDepth: 4 }), (value) => {
        const once = scrubValue(value);
        expect(scrubValue(once)).toEqual(once);
      }),
    );
  });
});
