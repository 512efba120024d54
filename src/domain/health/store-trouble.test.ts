import { expect, test } from 'vitest';
import { FINE, isKnownTrouble, mustEnd, nextState, STORE_TROUBLES, StoreTroubleError } from './store-trouble.ts';

const NOON = new Date('2026-03-04T12:00:00Z');
const after = (seconds: number): Date => new Date(NOON.getTime() + seconds * 1000);

test('keeps the start time of a problem while it stays the same, and starts over with another', () => {
  const silent = nextState(FINE, 'not-answering', NOON);
  expect(nextState(silent, 'not-answering', after(5))).toEqual(silent);
  expect(nextState(silent, 'read-only', after(5))).toEqual({ is: 'in-trouble', trouble: 'read-only', since: after(5) });
  expect(nextState(silent, null, after(5))).toEqual(FINE);
});

test('ends the process only for an embedded database, after 90 seconds without an answer', () => {
  const silent = nextState(FINE, 'not-answering', NOON);
  expect(mustEnd(silent, 'embedded', after(89))).toBe(false);
  expect(mustEnd(silent, 'embedded', after(90))).toBe(true);
  expect(mustEnd(silent, 'server', after(9_000))).toBe(false);
  expect(mustEnd(nextState(FINE, 'read-only', NOON), 'embedded', after(9_000))).toBe(false);
  expect(mustEnd(FINE, 'embedded', after(9_000))).toBe(false);
});

test.each(['not-answering', 'read-only'] as const)(
  'an error about a store that is %s says what happened and what to do',
  (trouble) => {
    const cause = new Error('no answer');
    const error = new StoreTroubleError(trouble, cause);
    expect({ what: error.message, next: error.next }).toEqual(STORE_TROUBLES[trouble]);
    expect(error).toMatchObject({ name: 'StoreTroubleError', trouble, cause });
  },
);

test('an error is logged unless the log has its problem already', () => {
  expect(isKnownTrouble(new StoreTroubleError('read-only'))).toBe(false);
  expect(isKnownTrouble(new StoreTroubleError('read-only', undefined, { isKnown: true }))).toBe(true);
  expect(isKnownTrouble(Object.assign(new Error('odd'), { isKnown: true }))).toBe(false);
});
