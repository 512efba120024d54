import { expect, it } from 'vitest';
import { unlinked } from './unlinked.ts';

it("makes no link of an address from outside, and keeps Slack's tokens and code", () => {
  expect(unlinked('No mailbox, see https://evil.example/login · <https://docs.example/550|Documentation>')).toBe(
    'No mailbox, see https∶//evil.example/login · <https://docs.example/550|Documentation>',
  );
  expect(unlinked('`smtp://mail.example` at <!date^1772625600^{time}|12:00 UTC>')).toBe(
    '`smtp://mail.example` at <!date^1772625600^{time}|12:00 UTC>',
  );
});
