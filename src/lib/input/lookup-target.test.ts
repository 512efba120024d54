import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { anEnvironment } from '../environment.testing.ts';
import type { Environment } from '../environment.ts';
import { lookupTargetsIn, MOST_RECOGNISED, recognise } from './lookup-target.ts';

const production = { ...anEnvironment(), name: 'production', dashboardUrl: 'https://dashboard.example.com' };
const staging = { ...production, name: 'staging', dashboardUrl: 'https://dashboard.example.com/staging/' };
const EVENT = '65f2a1c0d4e5f60718293a4b';

function found(text: string, environments: readonly Environment[] = [production, staging]) {
  return recognise(text, environments).map(({ target, environment }) => `${target.kind} ${target.id} ${environment}`);
}

describe('recognise', () => {
  test.each([
    [EVENT, `event ${EVENT} null`],
    ['txn_8f2c91', 'transaction txn_8f2c91 null'],
    ['anna@example.com', 'email anna@example.com null'],
    ['subscriber:user-0042', 'subscriber user-0042 null'],
    ['subscriberId:"Anna Smith"', 'subscriber Anna Smith null'],
    ['subscriber:<mailto:anna@example.com|anna@example.com>', 'subscriber anna@example.com null'],
    ['subscriber:\u200buser-0042\u200b', 'subscriber user-0042 null'],
  ])('identifies %s', (text, what) => {
    expect(found(text)).toEqual([what]);
  });

  test.each(['', 'lunch at noon?', 'failures since:2h', 'env:eu-west-1', 'order-shipped', 'a@b', '@Notif'])(
    'finds nothing in %j',
    (text) => {
      expect(found(text)).toEqual([]);
    },
  );

  test('maps a dashboard link to its environment, by the longest matching address', () => {
    const path = `/env/5f/activity/workflow-runs?activityItemId=${EVENT}`;
    expect(found(`<https://dashboard.example.com${path}|this one>`)).toEqual([`event ${EVENT} production`]);
    expect(found(`<https://dashboard.example.com/staging${path}>`)).toEqual([`event ${EVENT} staging`]);
    expect(found(`https://elsewhere.example.com${path}`)).toEqual([`event ${EVENT} null`]);
    expect(found(`https://DASHBOARD.example.com/Staging${path}`)).toEqual([`event ${EVENT} staging`]);
    expect(found(`https://dashboard.example.com/staging${path}`, [staging, production])).toEqual([
      `event ${EVENT} staging`,
    ]);
    expect(found(`https://dashboard.example.com.evil.example${path}`)).toEqual([`event ${EVENT} null`]);
  });

  test('finds one more than a message offers, so that people learn that there are more', () => {
    const ids = Array.from({ length: 12 }, (_, n) => `txn_${1000 + n}`).join(' ');
    expect(recognise(ids, [], MOST_RECOGNISED)).toHaveLength(10);
    expect(recognise(ids, [], MOST_RECOGNISED + 1)).toHaveLength(11);
  });

  test('finds several in one text, without duplicates', () => {
    const text = `${EVENT} and ${EVENT}, txn_8f2c91 (subscriber:user-1, <mailto:anna@example.com|anna@example.com>)`;
    expect(found(text)).toEqual([
      `event ${EVENT} null`,
      'transaction txn_8f2c91 null',
      'subscriber user-1 null',
      'email anna@example.com null',
    ]);
  });

  test('finds at most the requested number, in any text, quickly', () => {
    const piece = fc.oneof(
      fc.string({ unit: 'grapheme' }),
      fc.constantFrom(EVENT, 'subscriber:', 'a@b.example', '<', ':'),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
        expect(recognise(pieces.join(' '), [production], 3).length).toBeLessThanOrEqual(3);
      }),
    );
    const started = performance.now();
    for (const text of ['a'.repeat(40_000), 'a@'.repeat(20_000), 'subscriber:'.repeat(3_000), 'a.'.repeat(20_000)])
      recognise(text, [production]);
    expect(performance.now() - started).toBeLessThan(10_000);
  });
});

describe('lookupTargetsIn', () => {
  const target = (text: string) => lookupTargetsIn(text, [production, staging], 10).map((one) => one.target);

  test("treats any other word as a transaction's ID", () => {
    expect(target(' holiday ')).toEqual([{ kind: 'transaction', id: 'holiday' }]);
    expect(target('tx:holiday')).toEqual([{ kind: 'transaction', id: 'holiday' }]);
  });

  test('refuses words with nothing to look up', () => {
    expect(() => target('what happened?')).toThrow(
      expect.objectContaining({
        field: 'sought',
        message: 'There is no ID, address or link in these words.',
        example: 'txn_8f2c91',
      }),
    );
    expect(() => target('')).toThrow('Which event?');
  });
});
