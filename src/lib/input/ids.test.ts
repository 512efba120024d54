import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { anEnvironment } from '../environment.testing.ts';
import type { Environment } from '../environment.ts';
import { eventIdOrTransaction, lookupTargetsIn, recognise } from './ids.ts';

const production = { ...anEnvironment(), name: 'production', dashboardUrl: 'https://dashboard.example.com' };
const staging = { ...production, name: 'staging', dashboardUrl: 'https://dashboard.example.com/staging' };
const EVENT = '65f2a1c0d4e5f60718293a4b';
const UUID = '550e8400-e29b-41d4-a716-446655440000';
const PATH = `/env/5f/activity/workflow-runs?activityItemId=${EVENT}`;
const LINK = `https://dashboard.example.com${PATH}`;

function found(text: string, environments: readonly Environment[] = []) {
  return recognise(text, environments).map(({ target: { kind, id }, environment }) =>
    [kind, id, ...(environment === null ? [] : [environment])].join(' '),
  );
}

describe('recognise', () => {
  test.each([
    ['an event ID', `\`${EVENT}\``],
    ['a link', `see ${LINK}.`],
    ["Slack's link", `see <${LINK.replace('?', '?tab=1&amp;')}|the dashboard>`],
    ['a link with its transaction, too', LINK.replace('?', '?transactionId=txn_8f2c91&')],
    ['a label', `event: ${EVENT}, eventId:${EVENT}`],
    ['JSON', `{"id":"${EVENT}"}`],
    ['invisible characters', `\u200e${EVENT}\ufeff`],
  ])('finds an event in %s', (_, text) => {
    expect(found(text)).toEqual([`event ${EVENT}`]);
  });

  test.each(['txn_8f2c91', 'order-2024-000123', UUID, '01ARZ3NDEKTSV4RRFFQ69G5FAV'])(
    'finds the transaction %s',
    (id) => {
      expect(found(`Why did (*${id}*) not arrive?`)).toEqual([`transaction ${id}`]);
      expect(found(`${id}: nothing. tx=${id}`)).toEqual([`transaction ${id}`]);
      expect(found(`<https://dashboard.example.com/activity?transactionId=${id}|here>`)).toEqual([`transaction ${id}`]);
    },
  );

  test.each([
    [`https://admin.example.com/notifications/${EVENT}?tab=2`, `event ${EVENT}`],
    [`https://logs.example.com/app#/events/${EVENT}`, `event ${EVENT}`],
    ['https://grafana.example.com/explore?left=%7B%22q%22:%22txn_8f2c91%22%7D', 'transaction txn_8f2c91'],
    ['https://shop.example.com/transactions/order-2024-000123.', 'transaction order-2024-000123'],
    [`https://dashboard.example.com/env/${EVENT}/subscribers/user-0042?tab=profile`, 'subscriber user-0042 production'],
    ['https://dashboard.example.com/subscribers/anna%40example.com', 'subscriber anna@example.com production'],
  ])('finds the ID in the link %s', (link, what) => {
    expect(found(`<${link}|here>`, [production])).toEqual([what]);
  });

  test.each([
    `https://dashboard.example.com/env/${EVENT}/workflows/order-shipped-1`,
    'https://grafana.example.com/d/a1b2c3d4/board?from=1700000000000',
    'https://example.com/%E0%A4%A/events/list',
  ])('finds nothing in the link %s', (link) => {
    expect(found(link)).toEqual([]);
  });

  test.each([
    ['+49 151 2345678', '+49 151 2345678'],
    ['<tel:+491512345678|+49 151 2345678>', '+491512345678'],
    ['(555) 123-4567', '(555) 123-4567'],
    ['She has +44 (0)20 7946-0958 and got nothing', '+44 (0)20 7946-0958'],
    ['0049/151/2345678', '0049/151/2345678'],
  ])('finds the phone number in %s', (text, phone) => {
    expect(found(text)).toEqual([`phone ${phone}`]);
  });

  test('keeps the capitals of an ID: that of a transaction has a case', () => {
    expect(found(`Why did ${EVENT.toUpperCase()} not arrive?`)).toEqual([`event ${EVENT.toUpperCase()}`]);
  });

  test.each([
    ['anna@example.com', 'email anna@example.com'],
    ['<mailto:anna@example.com|anna@example.com>', 'email anna@example.com'],
    ['subscriber:user-0042', 'subscriber user-0042'],
    ['subscriberId: "user-0042",', 'subscriber user-0042'],
    ['[{subscriberId:user-0042}]', 'subscriber user-0042'],
    ['level=error subscriberId=user-0042 status=400', 'subscriber user-0042'],
    ['subscriber:<mailto:anna@example.com|anna@example.com>', 'subscriber anna@example.com'],
    ['id：txn_8f2c91、', 'transaction txn_8f2c91'],
    ['123456', 'transaction 123456'],
  ])('identifies %s', (text, what) => {
    expect(found(text)).toEqual([what]);
  });

  test.each([
    '',
    'lunch at noon?',
    'failures since:2h env:eu-west-1',
    'an ordinary sentence with 3 words of 123456 digits',
    'v1.22.333, 10.20.30.40:8080, 1234.56, 12,345.67 €, 12000ms',
    '2024-01-15, 2024-01-15T12:00:00Z, 20261121T163224Z, 12:30:05.123',
    'https://example.com/env/65f3a1b2c3d4e5f6a7b8c9d0/activity node-1.example.com app.ts:12:5',
    ':flag-de2: 555-123-4567 <@U0123ABCD> <#C0123ABCD|oncall-1>',
  ])('finds nothing in %j', (text) => {
    expect(found(text)).toEqual([]);
  });

  test('maps a dashboard link to its environment, by the longest matching address', () => {
    const both = [production, staging];
    expect(found(`<${LINK}|this one>`, both)).toEqual([`event ${EVENT} production`]);
    expect(found(`https://DASHBOARD.example.com/Staging${PATH}`, both)).toEqual([`event ${EVENT} staging`]);
    expect(found(`https://dashboard.example.com.evil.example${PATH}`, both)).toEqual([`event ${EVENT}`]);
  });

  test('finds several in one text, each once, and one more than is offered', () => {
    const text = `${EVENT} and ${EVENT}, txn_8f2c91 (subscriber:user-1, <mailto:anna@example.com|anna@example.com>)`;
    const all = [`event ${EVENT}`, 'transaction txn_8f2c91', 'subscriber user-1', 'email anna@example.com'];
    expect(found(text)).toEqual(all);
    const many = Array.from({ length: 12 }, (_, n) => `txn_${1000 + n}`).join(' ');
    expect(found(many)).toHaveLength(11);
  });

  test('finds an ID between any others, quickly', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.string(), (before, after) => {
        expect(found(`${before} \`${UUID}\` ${after}`, [production])).toContain(`transaction ${UUID}`);
      }),
    );
    const started = performance.now();
    for (const text of ['a'.repeat(40_000), 'a@'.repeat(20_000), 'subscriber:'.repeat(3_000), 'a.'.repeat(20_000)])
      recognise(text, [production]);
    expect(performance.now() - started).toBeLessThan(10_000);
  });
});

describe('eventIdOrTransaction', () => {
  test.each([
    [` \`${EVENT}\` `, `event ${EVENT}`],
    [`ObjectId("${EVENT}")`, `event ${EVENT}`],
    [`order_${EVENT}`, `transaction order_${EVENT}`],
    ['tx:order', 'transaction order'],
    ['\u200btxn_8f2c91;', 'transaction txn_8f2c91'],
    ['{transactionId:txn_8f2c91}', 'transaction txn_8f2c91'],
    ['2026-11-22T06:44:30Z ERROR send failed tx=txn_8f2c91 code=401', 'transaction txn_8f2c91'],
    ['x'.repeat(200), `transaction ${'x'.repeat(200)}`],
  ])('accepts %s as typed', (text, target) => {
    const { kind, id } = eventIdOrTransaction(text, []).target;
    expect(`${kind} ${id}`).toBe(target);
  });

  test('names the first of several as the example', () => {
    const message = 'These words have 2 IDs. Give one.';
    const refused = { field: 'event', message, example: '/notif event txn_8f2c91' };
    expect(() => eventIdOrTransaction('txn_8f2c91 or txn_8f2c92', [])).toThrow(expect.objectContaining(refused));
  });

  test.each(['', '""', 'two words', 'x'.repeat(201), '+49 170 1234567', 'https://acme.slack.com/archives/C0ONCALL/p1'])(
    'refuses %j with an example',
    (text) => {
      const message = expect.stringContaining('a transaction ID of at most 200 characters without spaces, or');
      const refused = expect.objectContaining({ field: 'event', message, example: '/notif event txn_8f2c91' });
      expect(() => eventIdOrTransaction(text, [])).toThrow(refused);
    },
  );
});

test("a form takes any single word that nothing is recognized in as a transaction's ID", () => {
  expect(lookupTargetsIn(' holiday ', [production])).toEqual([
    { target: { kind: 'transaction', id: 'holiday' }, environment: null },
  ]);
  expect(() => lookupTargetsIn('what happened?', [production])).toThrow('Give an event ID');
});
