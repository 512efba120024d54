import { expect, test } from 'vitest';
import { FreeText, scrubTyped } from './scrub.ts';

test('an external text can only be read scrubbed', () => {
  const text = new FreeText('no mailbox anna@example.com');
  const scrubbed = 'no mailbox a•••@example.com';
  for (const read of [text.toString(), `${text}`, String(text), text.toJSON()]) expect(read).toBe(scrubbed);
  expect(JSON.stringify({ text })).toBe(`{"text":"${scrubbed}"}`);
});

test('an external text without anything to hide is shown as it is', () => {
  expect(`${new FreeText('')}|${new FreeText('Mailbox full')}`).toBe('|Mailbox full');
});

test.each([
  'we dropped the <style> block, the rest was kept',
  'see <b>this</b> & <!-- that -->, &lt;p&gt; and \\u0041',
  'if a < b && {"retries": 3}, “ＡＰＩ” of ４ hosts',
  "customer 'Acme Corp' asked, order 12345678, queue 4Xyz1B2c3dz9, build 20240115",
])('what a person types keeps its words: %s', (typed) => {
  expect(scrubTyped(typed)).toBe(typed);
});

test('what a person types has contacts and secrets masked, and commits as Git shortens them', () => {
  expect(scrubTyped(' ask jane@x.com or\n０１７０ １２３４５６７, password: hunter2 see https://x.com/a?b ')).toBe(
    'ask j•••@x.com or •••67, password: ••• see https://x.com/…',
  );
  expect(scrubTyped('reverted 0123456789abcdef0123456789abcdef01234567')).toBe('reverted 0123456789ab');
});
