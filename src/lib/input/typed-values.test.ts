import fc from 'fast-check';
import { expect, test } from 'vitest';
import { incidentNumberIn, LONGEST_NOTE, noteOf, noteTyped, parseAddresses } from './typed-values.ts';

test('parses email addresses, each once', () => {
  expect(parseAddresses(['anna@example.com', ' anna@example.com ', '', 'Ben+x@people.example'])).toEqual([
    'anna@example.com',
    'Ben+x@people.example',
  ]);
});

test('accepts ten addresses, each as long as an address can be', () => {
  const many = Array.from({ length: 10 }, (_, n) => `user-${n}@example.com`.padStart(254, 'x'));
  expect(parseAddresses(many)).toEqual(many);
});

test.each([['anna'], ['anna@'], ['anna@b c'], ['a@b@c'], ['anna@example.com'.padStart(255, 'x')]])(
  'refuses %j without quoting it',
  (typed) => {
    expect(() => parseAddresses(['anna@example.com', typed])).toThrow('email: takes email addresses.');
  },
);

test('refuses more addresses than are looked up at once', () => {
  const many = Array.from({ length: 11 }, (_, n) => `user-${n}@example.com`);
  expect(() => parseAddresses(many)).toThrow('email: takes at most 10 addresses.');
});

test.each(['#17', '17', '(#17)', '#17:', 'incident 17', 'Incident #17.'])('%s names an incident', (typed) => {
  expect(incidentNumberIn(typed.split(' '), 'ack')).toBe(17);
});

test.each([
  ['', 'Name an incident by its number'],
  ['sendgrid', 'Name an incident by its number'],
  ['#17 #18', '/notif ack takes one incident at a time.'],
])('"%s" names no incident', (typed, why) => {
  expect(() => incidentNumberIn(typed === '' ? [] : typed.split(' '), 'ack')).toThrow(why);
});

test('stores what was typed, on one line', () => {
  expect(noteOf('  key had been rotated\n in vault, not here ')).toEqual({
    is: 'text',
    text: 'key had been rotated in vault, not here',
  });
});

test('masks secrets and contacts', () => {
  const note = noteOf('new key SG.abcdefgh12345678 from ann@example.com, +49 170 1234567');
  expect(note).toEqual({ is: 'text', text: expect.stringContaining('new key •••') });
  expect(JSON.stringify(note)).not.toMatch(/SG\.abc|ann@|1234567/);
});

test('refuses what is longer than a note, or has no text', () => {
  expect(noteOf('a'.repeat(LONGEST_NOTE)).is).toBe('text');
  expect(noteOf(` ${'a'.repeat(LONGEST_NOTE)} `).is).toBe('text');
  expect(noteOf('a'.repeat(LONGEST_NOTE + 1)).is).toBe('too long');
  for (const nothing of ['', '   ', '\u200b\u200b']) expect(noteOf(nothing).is).toBe('empty');
});

test('changes nothing when a stored note is typed again', () => {
  fc.assert(
    fc.property(fc.string({ maxLength: LONGEST_NOTE }), (typed) => {
      const note = noteOf(typed);
      if (note.is === 'text' && note.text.length <= LONGEST_NOTE) expect(noteOf(note.text)).toEqual(note);
    }),
  );
});

test.each<[string, readonly string[], string]>([
  ['#17 key had been rotated', ['#17'], 'key had been rotated'],
  ['17 since: they said "no" to us', ['17'], 'since: they said "no" to us'],
  ['#17 #18 is the same', ['#17'], '#18 is the same'],
  ['  #17   key\nrotated ', ['#17'], 'key rotated'],
  ['#17 "key" and "vault"', ['#17'], '"key" and "vault"'],
  ['#17 "email was blocked"', ['#17'], 'email was blocked'],
  ['#17 ""', ['#17'], ''],
  ['', [], ''],
])('a note typed as %s is split into the incident and the text', (typed, incident, text) => {
  expect(noteTyped(typed)).toEqual({ incident, text });
});
