import { expect, test } from 'vitest';
import { FreeText } from './scrub.ts';

test('an external text can only be read scrubbed', () => {
  const text = new FreeText('no mailbox anna@example.com');
  const scrubbed = 'no mailbox a•••@example.com';
  for (const read of [text.toString(), `${text}`, String(text), text.toJSON()]) expect(read).toBe(scrubbed);
  expect(JSON.stringify({ text })).toBe(`{"text":"${scrubbed}"}`);
});

test('an external text without anything to hide is shown as it is', () => {
  expect(`${new FreeText('')}|${new FreeText('Mailbox full')}`).toBe('|Mailbox full');
});
