import { expect, test } from 'vitest';
import { unlinked } from './unlinked.ts';

test("makes no link of an address from outside, and keeps Slack's tokens and code", () => {
  expect(unlinked('No mailbox, see https://evil.example/login · <https://docs.example/550|Documentation>')).toBe(
    'No mailbox, see https∶//evil․example/login · <https://docs.example/550|Documentation>',
  );
  expect(unlinked('`smtp://mail.example` at <!date^1772625600^{time}|12:00 UTC>')).toBe(
    '`smtp://mail.example` at <!date^1772625600^{time}|12:00 UTC>',
  );
});

test('makes no link of a bare domain or an email address, and keeps numbers and sentences', () => {
  expect(unlinked('Ask www.evil.example or help@mail.evil.example.')).toBe(
    'Ask www․evil․example or help@mail․evil․example.',
  );
  const harmless = '1.4% of v1.2 failed, e.g. txn_1. Next: `mail.example`, <https://docs.example|docs.example>';
  expect(unlinked(harmless)).toBe(harmless);
});
