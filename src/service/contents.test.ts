import { expect, test } from 'vitest';
import cases from './contents.cases.json' with { type: 'json' };
import { ContentBody } from './contents.ts';

function linesOf(content: unknown, subject: string | null = null) {
  const message = { _notificationId: '65f000000000000000000001', channel: 'email', createdAt: '2026-03-04T12:00:00Z' };
  return ContentBody.parse({ ...message, subject, content }).lines;
}

test('what was sent is read as lines, without markup', () => {
  const html =
    '<html><head><title>x</title><style>p { color: red }</style></head><p>Hello Jane</p><p>Your order<br>has shipped</p>';
  expect(linesOf(html, 'Order A-1395')).toEqual(['Subject: Order A-1395', 'Hello Jane', 'Your order', 'has shipped']);
  expect(linesOf([{ type: 'text', content: 'From an older editor' }, { type: 'image' }])).toEqual([
    'From an older editor',
  ]);
  expect(linesOf(undefined)).toEqual([]);
});

test('a title and buttons are shown, as the channel has them', () => {
  const message = { _notificationId: '65f000000000000000000001', channel: 'in_app', createdAt: null };
  const cta = { action: { buttons: [{ content: 'Pay' }, { content: 'Not now' }] } };
  const { lines } = ContentBody.parse({ ...message, title: 'Order A-1395', content: 'Your order is late', cta });
  expect(lines).toEqual(['Title: Order A-1395', 'Your order is late', '[Pay] [Not now]']);
});

test.each(cases.codes)('a one-time code in %j is masked, and nothing else', (text, shown) => {
  expect(linesOf(text)).toEqual([shown]);
});

test('contacts and secrets in what was sent are masked', () => {
  const [line = ''] = linesOf('Reset it: https://example.com/reset?token=8f2c91aa77bb33cc (jane.roe@example.com)');
  expect(line).not.toMatch(/8f2c91aa77bb33cc|jane.roe/);
});
