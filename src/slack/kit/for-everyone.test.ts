import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { CATALOG } from '../../causes/catalog.ts';
import { expectFit, wordsOf } from '../slack.testing.ts';
import { actions, button, lineSections, section } from './blocks.ts';
import { parseValue, writeValue } from './button-values.ts';
import { dataTable } from './data-table.ts';
import { forEveryone, textForEveryone, withNames } from './for-everyone.ts';
import { message } from './message.ts';
import { personal, publishedAs } from './published.ts';
import { code, joined, mention, mrkdwn, named, person } from './text.ts';

const withButton = (value: string) => forEveryone(message(actions([button('Chart', 'failures.chart', value)])));

test("a button's value stays as it is, or the button is left out", () => {
  const part = fc.oneof(
    fc.constantFrom('mobile', 'whatsapp', 'eu-mobile', 'call', 'sms'),
    fc.integer({ min: 0, max: 2_000_000_000_000 }).map(String),
    fc.string({ maxLength: 12 }),
  );
  fc.assert(
    fc.property(fc.array(part, { minLength: 1, maxLength: 5 }), (parts) => {
      const value = writeValue(parts);
      const [block] = withButton(value).blocks;
      const shown = block?.type === 'actions' ? block.elements : [];
      expect(shown.every((element) => 'value' in element && element.value === value)).toBe(true);
    }),
  );
});

test("a button's value of a channel and times isn't taken for a phone number", () => {
  const fields = ['mobile', '1795000000000', '1795386803689', '0'];
  const { blocks } = withButton(writeValue(fields));
  expect(parseValue(JSON.stringify(blocks).match(/v1[^"]*/)?.[0] ?? '')).toEqual(fields);
});

test('a button whose value holds a contact is left out', () => {
  expect(withButton(writeValue(['production', 'anna@example.com'])).blocks).toEqual([]);
});

test.each(['anna*x@example.com', 'anna`x@example.com', '"anna"@example.com'])(
  'no part of %s is published, as code, bold, quoted or in a table',
  (id) => {
    const table = dataTable({ caption: 'Events', columns: ['Subscriber'], rows: [[id]] });
    const words = mrkdwn`${code(id)}, *${named(id)}*, “${id}” and (${id})`;
    const published = JSON.stringify(forEveryone(message([section(words), table])));
    expect(published).not.toContain('anna');
    // Each of the five is in the blocks and in the message's text.
    expect(published.match(/@example\.com/g)).toHaveLength(2 * 5);
  },
);

test('no part of a contact is published where it is cut', () => {
  const id = `anna.maria.${'schmidt.'.repeat(7)}@example.com`;
  const long = joined([...Array.from({ length: 2_940 }, () => 'x'), ` ${id}`], '');
  const words = mrkdwn`${code(id)}, ${named(`${'x'.repeat(60)}:${id}`)}`;
  const published = JSON.stringify(forEveryone(message([section(words), section(long)])));
  expect(published).not.toContain('anna');
  for (const cut of ['anna@…', 'anna@exam…', 'anna%40exam…']) expect(textForEveryone(cut)).not.toContain('anna');
});

describe('a part of a message', () => {
  const content = message([
    publishedAs(section(mrkdwn`Your order`), section(mrkdwn`An order`)),
    personal(section(mrkdwn`For you`)),
    ...actions([personal(button('Send again', 'send', 'v1'))]),
  ]);

  test('is what it is for the person who asked', () => {
    expect(wordsOf(content)).toBe('Your order\nFor you\nSend again');
  });

  test('is replaced or left out for everyone else', () => {
    expect(wordsOf(forEveryone(content, 'U0ANN'))).toBe('An order\nShared by <@U0ANN>');
  });
});

test('people in a new message are named and not mentioned, but for whom it is to notify', async () => {
  const words = joined(['U0CAT', 'U0ANN', 'U0BOB', 'U0GONE'].map(person), ', ');
  const names = new Map([
    ['U0ANN', 'Ann <!channel>'],
    ['U0BOB', 'bob@example.com'],
  ]);
  const content = forEveryone(message([section(words)]));
  const shown = await withNames(content, { namesOf: async () => names }, ['U0CAT']);
  expect(shown.text).toMatch(/^<@U0CAT>, Ann &lt;!channel&gt;, b•••@.*, somebody$/);
  expect(wordsOf(shown)).toBe(shown.text);
});

test('a user group in a new message is named by its handle and not mentioned, but for the one that it is to notify', async () => {
  const words = joined(
    ['S0OPS', 'S0QA', 'S0GONE'].map((id) => mention({ kind: 'user-group', id })),
    ', ',
  );
  const content = forEveryone(message([section(words)]));
  const shown = await withNames(content, { namesOf: async () => new Map([['S0QA', '@qa']]) }, ['S0OPS']);
  expect(shown.text).toBe('<!subteam^S0OPS>, @qa, a user group');
});

test('lines in which people are named fit their sections', async () => {
  const line = mrkdwn`${person('U0ANN')} asked ${person('U0ANN')}: ${'x'.repeat(220)}`;
  const content = forEveryone(message(lineSections(Array.from({ length: 40 }, () => line))));
  const shown = await withNames(content, { namesOf: async () => new Map([['U0ANN', 'Ann '.repeat(30)]]) }, []);
  expectFit(shown);
});

test("Notif's own advice has nothing that everyone would see masked, such as a sample of a phone number", () => {
  const texts = CATALOG.flatMap(({ meaning, next }) => [meaning, next]);
  expect(texts.filter((text) => textForEveryone(text) !== text)).toEqual([]);
});
