import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cpuMs } from '../cpu.testing.ts';
import { anEnvironment } from '../environment.testing.ts';
import type { Environment } from '../environment.ts';
import cases from './ids.cases.json' with { type: 'json' };
import { eventIdOrTransaction, lookupTargetsIn, recognize } from './ids.ts';

const production = { ...anEnvironment(), name: 'production', dashboardUrl: 'https://dashboard.example.com' };
const staging = { ...production, name: 'staging', dashboardUrl: 'https://dashboard.example.com/staging' };
const EVENT = '65f2a1c0d4e5f60718293a4b';
const UUID = '550e8400-e29b-41d4-a716-446655440000';
const PATH = `/env/5f/activity/workflow-runs?activityItemId=${EVENT}`;
const LINK = `https://dashboard.example.com${PATH}`;

function found(text: string, environments: readonly Environment[] = []) {
  return recognize(text, environments).map(({ target: { kind, id }, environment }) =>
    [kind, id, ...(environment === null ? [] : [environment])].join(' '),
  );
}

describe('recognize', () => {
  test.each(cases.events)('finds an event in %s', (_, text) => {
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

  test.each(cases.inLinks)('finds the ID in the link %s', (link, what) => {
    expect(found(`<${link}|here>`, [production])).toEqual([what]);
  });

  test.each(cases.notInLinks)('finds nothing in the link %s', (link) => {
    expect(found(link)).toEqual([]);
  });

  test.each(cases.phones)('finds the phone number in %s', (text, phone) => {
    expect(found(text)).toEqual([`phone ${phone}`]);
  });

  test('keeps the capitals of an ID: that of a transaction has a case', () => {
    expect(found(`Why did ${EVENT.toUpperCase()} not arrive?`)).toEqual([`event ${EVENT.toUpperCase()}`]);
  });

  test.each(cases.identified)('identifies %s', (text, what) => {
    expect(found(text)).toEqual([what]);
  });

  test.each(cases.nothing)('finds nothing in %j', (text) => {
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
    const begun = cpuMs();
    for (const text of ['a'.repeat(40_000), 'a@'.repeat(20_000), 'subscriber:'.repeat(3_000), 'a.'.repeat(20_000)])
      recognize(text, [production]);
    expect(cpuMs() - begun).toBeLessThan(10_000);
  });
});

describe('eventIdOrTransaction', () => {
  test.each(cases.typed)('accepts %s as typed', (text, target) => {
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
