import { describe, expect, test } from 'vitest';
import { at } from '../service/event.testing.ts';
import { isAboutData, quarantineHash, reasonOf, retryBefore } from './quarantine.ts';

describe('a refused event', () => {
  test('is known by a hash, the same each time, without its ID', () => {
    expect(quarantineHash('production', 'ada@example.com')).toMatch(/^[0-9a-f]{64}$/);
    expect(quarantineHash('production', 'one')).toBe(quarantineHash('production', 'one'));
  });

  test.for([
    ['production', 'two'],
    ['staging', 'one'],
    ['productiono', 'ne'],
  ] as const)('differs from one of %s with the key %s', ([environment, key]) => {
    expect(quarantineHash(environment, key)).not.toBe(quarantineHash('production', 'one'));
  });

  test('is retried a day after the last try', () => {
    expect(retryBefore(at(24 * 3600))).toEqual(at(0));
  });
});

describe("the database's code", () => {
  test.for([
    ['21000', 'its parts contradict each other'],
    ['22P05', 'it holds a value that the database does not take'],
    ['23505', 'it contradicts a rule of the tables'],
    ['54000', 'a field is larger than the database can index'],
  ] as const)('%s says about the data that %s', ([code, reason]) => {
    expect(isAboutData(code)).toBe(true);
    expect(reasonOf(code)).toBe(reason);
  });

  test.for([
    ['is of another class', '08006'],
    ['is of the class of a shutdown', '57P01'],
    ['is too short', '2200'],
    ['is too long', '220000'],
    ['is in small letters', '22p05'],
    ["isn't a code but the name of an error", 'TypeError'],
    ['is empty', ''],
  ] as const)("isn't about the data if it %s", ([, code]) => {
    expect(isAboutData(code)).toBe(false);
    expect(reasonOf(code)).toBe('Notif could not work out what it means');
  });
});
