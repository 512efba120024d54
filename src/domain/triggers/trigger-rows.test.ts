import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseRows } from './trigger-rows.ts';

/** Returns the rows of a text without mistakes: IDs, each with its own object. */
function rowsOf(...parts: string[]) {
  const { rows, mistakes } = parseRows(parts);
  expect(mistakes).toEqual([]);
  return rows.map(({ subscriberId, content }) => (content === null ? subscriberId : [subscriberId, content]));
}

/** Returns the mistakes with their places as field:line:column. */
function mistakesIn(...parts: string[]) {
  return parseRows(parts).mistakes.map(({ place, what }) => `${place.part}:${place.line}:${place.column} ${what}`);
}

describe('rows of ids', () => {
  test('are one per line, or several separated by commas and spaces', () => {
    expect(rowsOf('user-1\r\nuser-2\n\nuser-3, user-4;user-5')).toEqual([
      'user-1',
      'user-2',
      'user-3',
      'user-4',
      'user-5',
    ]);
  });

  test.each([
    ['“user-1”', 'typographic quotes'],
    ['`user-1`', 'code marks'],
    ['```user-1```', 'a code block'],
    ["'user-1'", 'quotes'],
    ['‘user-1’', 'single typographic quotes'],
    ['user-1\u200b', 'an invisible character at its end'],
    ['\ufeff\u2068user-1\u2069', 'invisible characters around it'],
    ['- user-1', 'the bullet of a list'],
    ['  •\tuser-1', 'an indented bullet'],
    ['1. user-1', 'its number in a list'],
  ])('have IDs without what a page or a phone adds: %s (%s)', (line) => {
    expect(rowsOf(line)).toEqual(['user-1']);
    expect(rowsOf(`user-0\n${line}\nuser-2`)).toEqual(['user-0', 'user-1', 'user-2']);
  });

  test.each(['-user-1', 'o’brien', "d'arcy", '1.5', '-', '12)'])('have IDs as they are, such as %s', (id) => {
    expect(rowsOf(id)).toEqual([id]);
  });

  test.each([
    ['["user-1", "user-2"]', 'on one line'],
    ['[\n  "user-1",\n  "user-2"\n]', 'on several lines'],
    ['[“user-1”, “user-2”]', 'with typographic quotes'],
    ["['user-1', 'user-2']", 'with single quotes'],
    ['[user-1, user-2]', 'without quotes'],
    ['["user-1",\n"user-2",\n]', 'with a comma at its end'],
  ])('are taken out of a list of code: %j (%s)', (text) => {
    expect(rowsOf(text)).toEqual(['user-1', 'user-2']);
  });

  test.each(['[user-1', 'user-1]', '[1] user-1'])('keep a bracket that is not around all of them: %s', (text) => {
    expect(rowsOf(text)).toEqual(text.split(' '));
  });

  test('are refused if they are masked, as messages show contacts', () => {
    const what =
      'this ID has ••• in it, as masked ones do; give the whole one. Notif can’t tell a real one with ••• from those, and sends to neither';
    expect(mistakesIn('user-1\na•••@example.com')).toEqual([`0:2:1 ${what}`]);
    expect(mistakesIn('subscriber,orderId\n•••67,A-17')).toEqual([`0:2:1 ${what}`]);
  });

  test('continue in other fields', () => {
    expect(rowsOf('user-1', '', 'user-2')).toEqual(['user-1', 'user-2']);
  });

  test.each([
    ['user-1, user-2\nuser-3', ['user-1', 'user-2', 'user-3']],
    ['user-1,\nuser-2,\nuser-3', ['user-1', 'user-2', 'user-3']],
    ['user-1, user-2,\nuser-3, user-4,\nuser-5', ['user-1', 'user-2', 'user-3', 'user-4', 'user-5']],
    ['"user-1";\n"user-2";', ['user-1', 'user-2']],
    ['\tuser-1\n\tuser-2\t', ['user-1', 'user-2']],
    ['my_id\nyour_id', ['my_id', 'your_id']],
    ['user-1\nthat-id', ['user-1', 'that-id']],
    ['user_id', ['user_id']],
    ['user_id\nuser-1\nmy_id', ['user_id', 'user-1', 'my_id']],
  ])('are not mistaken for a table: %j', (text, ids) => {
    expect(rowsOf(text)).toEqual(ids);
  });

  const cells = (count: number) =>
    `this line has ${count} cells, and no header says what they are; IDs on their own go one per line`;

  test.each([
    ['has the same number of cells', 'user-1,A-17\nuser-2,B-2', `0:1:1 ${cells(2)}`],
    ['has the same number of words', 'user-1 A-17\nuser-2 B-2', `0:1:1 ${cells(2)}`],
    ['has a blank line', 'user-1,A-17\n \nuser-2,B-2', `0:1:1 ${cells(2)}`],
    ['has an empty cell', '\nuser-1,A-17\nuser-2,', `0:2:1 ${cells(2)}`],
    ['has a cell of several words', 'user-1;Anna Lee\nuser-2;Bob', `0:1:1 ${cells(2)}`],
    ['has separators and line breaks in quoted cells', 'user-1,"Lee,\nAnna"\nuser-2,Bob', `0:1:1 ${cells(2)}`],
    ['has a payload in a cell', 'user-1,A-17\nuser-2,"{""a"": 1}"', `0:1:1 ${cells(2)}`],
    ['has tabs', 'user-0\nuser-1\tA-17\nuser-2\t\nuser-3\tB-2\tC', `0:2:1 ${cells(2)}`],
    ['has an empty cell between tabs', 'user-1\t\tA-17', `0:1:1 ${cells(2)}`],
    ['has tabs in its only line', 'user-1\tA-17\tAnna', `0:1:1 ${cells(3)}`],
    ['has tabs after a bullet', '- user-1\tA-17', `0:1:1 ${cells(2)}`],
    ['has the bars of a terminal', ' user-1 | A-17\n user-2 |', `0:1:1 ${cells(2)}`],
  ])('are not accepted as IDs if they look like a table that %s', (_why, text, mistake) => {
    expect(mistakesIn(text)).toEqual([mistake]);
  });

  const header = 'this looks like a header; the first column of a table is called “subscriber”';

  test.each([
    'user_id\nuser-1\nuser-2',
    'User ID\nuser-1',
    'id\nuser-1',
    'userId,orderId\nuser-1,A-17\nuser-2,',
    'name user_id\nAnna user-1\nBen',
    'userIDs\nuser-1 {"a": 1}',
  ])('have no header that calls the subscriber otherwise: %j', (text) => {
    expect(mistakesIn('', text)).toEqual([`1:1:1 ${header}`]);
  });

  test('have at most 255 characters each', () => {
    expect(rowsOf('x'.repeat(255))).toHaveLength(1);
    expect(mistakesIn(`user-1\n${'x'.repeat(256)}`)).toEqual(['0:2:1 a subscriber’s ID has at most 255 characters']);
  });
});

describe('rows with a JSON object', () => {
  test.each([
    'user-1 {"a": 1}',
    'user-1\t{"a": 1}',
    'user-1, {"a": 1}',
    'user-1,"{""a"": 1}"',
    'user-1,"{""a"": 1}" ',
    '"user-1","{""a"": 1}"',
    'user-1 {“a”: 1}  ',
    '“user-1” {“a”: 1}',
    '`user-1` {"a": 1}\u200b',
    '- user-1\u200b {\u00a0"a": 1}',
    'user-1 \u200b{"a": 1}',
  ])('are accepted: %s', (line) => {
    expect(rowsOf(line)).toEqual([['user-1', { a: 1 }]]);
  });

  test('can be mixed with rows without one', () => {
    expect(rowsOf('user-1\nuser-2 {"a": 1}')).toEqual(['user-1', ['user-2', { a: 1 }]]);
    expect(rowsOf('userId {"a": 1}\nuser-2')).toEqual([['userId', { a: 1 }], 'user-2']);
  });

  test.each([
    ['user-1 {"a": 1,}', "0:1:16 this isn't JSON from here"],
    ['user-1 {"a": 1}, {"b": 2}', "0:1:16 this isn't JSON from here"],
    ['user-1 {}\nuser-2 {"a" 1}', "0:2:13 this isn't JSON from here"],
    ['{"a": 1}', '0:1:1 the subscriber’s ID is missing before the payload'],
    ['user-1 user-2 {"a": 1}', '0:1:1 a payload goes with one subscriber'],
    ['user-1,"{""a"" 1}"', "0:1:9 this isn't JSON from here"],
    ['"user-1{"a": 1}', '0:1:8 put a space between the subscriber’s ID and its payload'],
    ['user-1{"a": 1}', '0:1:7 put a space between the subscriber’s ID and its payload'],
  ])('name the place of the mistake: %j', (text, mistake) => {
    expect(mistakesIn(text)).toEqual([expect.stringContaining(mistake)]);
  });

  test('report every invalid row', () => {
    expect(mistakesIn('user-1 {\nuser-2\nuser-3 }{', '{}')).toHaveLength(3);
  });
});

describe('a table', () => {
  test.each([
    'subscriber,orderId,total\nuser-1,A-17,12.50\nuser-2,A-18,',
    'subscriberId\torderId\ttotal\nuser-1\tA-17\t12.50\nuser-2\tA-18\t',
    '\nSubscriber ID;orderId;total\r\nuser-1;A-17;12.50\r\n;;\r\nuser-2;A-18;',
  ])('gives each row the texts in its cells, without empty ones: %j', (text) => {
    expect(rowsOf(text)).toEqual([
      ['user-1', { orderId: 'A-17', total: '12.50' }],
      ['user-2', { orderId: 'A-18' }],
    ]);
  });

  test('can have quotes around its cells, and lines and separators in them', () => {
    expect(rowsOf('subscriber,text\nuser-1,"Hello, ""Ada""\nsee you"\nuser-2,plain')).toEqual([
      ['user-1', { text: 'Hello, "Ada"\nsee you' }],
      ['user-2', { text: 'plain' }],
    ]);
  });

  test('has subscriber IDs and names without what a page or a phone adds', () => {
    expect(rowsOf('\u200bsubscriber,a\u200b\n“user-1”,“1”\u200b\n`user-2`,')).toEqual([
      ['user-1', { a: '“1”\u200b' }],
      ['user-2', {}],
    ]);
  });

  test('can have IDs only', () => {
    expect(rowsOf('subscriber\nuser-1\nuser-2')).toEqual(['user-1', 'user-2']);
  });

  test('continues in other fields, with or without its header', () => {
    expect(rowsOf(' ', 'subscriber,a\nuser-1,1')).toEqual([['user-1', { a: '1' }]]);
    expect(rowsOf('subscriber,a\nuser-1,1', 'user-2,2', 'subscriber,a\nuser-3,3')).toEqual([
      ['user-1', { a: '1' }],
      ['user-2', { a: '2' }],
      ['user-3', { a: '3' }],
    ]);
  });

  test.each([
    ['subscriber,a\nuser-1,1\nuser-2', '0:3:1 a row has to have as many cells as the header, 2; this one has 1'],
    ['subscriber,a\n,1', '0:2:1 the subscriber’s ID is missing'],
    ['subscriber,a,a\nuser-1,1,2', '0:1:14 this name is in the header twice'],
    ['subscriber,a,\nuser-1,1,2', '0:1:14 a column of the header has no name'],
    ['subscriber,a\nuser-1,"never ends', '0:2:8 a quote is opened here and not closed at the end of the cell'],
  ])('names the place of the mistake: %j', (text, mistake) => {
    expect(mistakesIn(text)).toEqual([mistake]);
  });

  test('refuses a different header later on', () => {
    expect(mistakesIn('subscriber,a\nuser-1,1', 'subscriber,b\nuser-2,1')).toEqual([
      '1:1:1 a second header, which is not like the first',
    ]);
  });
});

describe('any pasted text', () => {
  const id = fc.stringMatching(/^[\w.@+|:-]{1,40}$/).filter((one) => !/^subscriber/i.test(one));
  const object = fc
    .dictionary(fc.string(), fc.jsonValue(), { noNullPrototype: true })
    .map((one) => JSON.parse(JSON.stringify(one)));

  test('is parsed back as it was written, as lines with JSON', () => {
    const row = fc.tuple(id, fc.constantFrom(' ', '\t', ', ', ','), object);
    fc.assert(
      fc.property(fc.array(row, { minLength: 1 }), (rows) => {
        const text = rows.map(
          ([subscriberId, between, content]) => `${subscriberId}${between}${JSON.stringify(content)}`,
        );
        expect(rowsOf(text.join('\n'))).toEqual(rows.map(([subscriberId, , content]) => [subscriberId, content]));
      }),
    );
  });

  test('is parsed back as it was written, as a table with any separator', () => {
    const cell = fc.string({ minLength: 1, unit: fc.constantFrom('a', ' ', ',', ';', '\t', '"', '\n', 'é', '{') });
    const names = fc.uniqueArray(fc.stringMatching(/^[a-z]{1,9}$/), { minLength: 1, maxLength: 4 });
    const table = names.chain((keys) =>
      fc.record({
        keys: fc.constant(keys),
        separator: fc.constantFrom('\t', ',', ';'),
        rows: fc.array(fc.tuple(id, fc.array(cell, { minLength: keys.length, maxLength: keys.length })), {
          minLength: 1,
        }),
      }),
    );
    fc.assert(
      fc.property(table, ({ keys, separator, rows }) => {
        const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;
        const lines = rows.map(([subscriberId, cells]) => [subscriberId, ...cells.map(quoted)].join(separator));
        const expected = rows.map(([subscriberId, cells]) => [
          subscriberId,
          Object.fromEntries(keys.map((key, index) => [key, cells[index]])),
        ]);
        expect(rowsOf([['subscriber', ...keys].join(separator), ...lines].join('\n'))).toEqual(expected);
      }),
    );
  });

  test('is parsed, or its mistakes are named by a place within it, and none of it is quoted', () => {
    const piece = fc.oneof(
      fc.string({ unit: 'grapheme' }),
      fc.constantFrom('subscriber', ',', '\t', '{', '"', '}', '\n', ';', ' ', 'user-1', '{"a":1}'),
    );
    fc.assert(
      fc.property(
        fc.array(
          fc.array(piece).map((pieces) => pieces.join('')),
          { maxLength: 4 },
        ),
        (parts) => {
          const { rows, mistakes } = parseRows(parts);
          const seen = parts.join('\n').replace(/\p{Cf}/gu, '');
          for (const { subscriberId } of rows) expect(seen).toContain(subscriberId);
          for (const { place } of mistakes) {
            const lines = (parts[place.part] ?? '').split(/\r\n|[\r\n]/);
            expect(place.column).toBeLessThanOrEqual((lines[place.line - 1] ?? '').length + 1);
          }
        },
      ),
      { numRuns: 500 },
    );
  });
});
