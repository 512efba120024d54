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
    'ask j•••@x.com or •••67, password: ••• see https://x.com/a?…',
  );
  expect(scrubTyped('reverted 0123456789abcdef0123456789abcdef01234567')).toBe('reverted 0123456789ab');
});

test.each([
  ['https://github.com/acme/checkout-service/pull/1234', null],
  ['ghcr.io/acme/checkout:1.4.2', null],
  ['registry.acme.example:5000/team/orders:2026.11.30-rc1', null],
  ['https://github.com/acme/a/actions/runs/11789123456/job/33219876543', null],
  [`ghcr.io/acme/checkout@sha256:${'9f86d081'.repeat(8)}`, 'ghcr.io/acme/checkout@sha256:9f86d0819f86'],
  ['https://ann:hunter2@git.example.com/acme/x?token=abc', 'https://git.example.com/acme/x?…'],
  ['https://app.example.com/reset/8fJ3kd82HHdkw9201kdLLs82jdk20', 'https://app.example.com/reset/•••'],
  ['https://x.com/unsubscribe/anna@example.com', 'https://x.com/unsubscribe/a•••@example.com'],
  ['https://hooks.slack.com/services/T0/B0/abc', 'https://hooks.slack.com/…'],
  ['https://api.telegram.org/bot12345:AAbb/send', 'https://api.telegram.org/…'],
  ['https://wa.me/4917012345678', 'https://wa.me/…'],
  ['webhook_url=https://example.com/in/7', 'webhook_url=•••'],
  ['postgres://u:p@db.example.com/prod', 'postgres://db.example.com/…'],
])('a web address that a person types keeps host and path, unless they are a secret: %s', (typed, shown) => {
  expect(scrubTyped(`see ${typed} now`)).toBe(`see ${shown ?? typed} now`);
});
