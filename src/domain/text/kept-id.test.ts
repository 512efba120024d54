import { describe, expect, test } from 'vitest';
import { MOST_ID_BYTES } from './bounded-id.ts';
import { createKeepId, isChangedLabel } from './kept-id.ts';

const SECRET = 'a secret of all replicas';
const keepId = (id: string) => createKeepId(SECRET)(id);
const keptLabel = (...given: [label: string, hashed?: string]) => createKeepId(SECRET).label(...given);

describe('an ID that is stored', () => {
  test('is masked if it is a contact, with a hash behind the mask', () => {
    expect(keepId('anna@example.com')).toMatch(/^a•••@example\.com #[a-p]{12}$/);
    expect(keepId('+491701234567')).toMatch(/^•••67 #[a-p]{12}$/);
  });

  test.each(['user-1', 'txn_8f2c91', '491701234567', ''])('stays %j if it is no contact', (id) => {
    expect(keepId(id)).toBe(id);
  });

  test('is found again by the whole ID, in any replica, but not with another secret', () => {
    const kept = keepId('anna@example.com');
    expect(createKeepId(SECRET)('anna@example.com')).toBe(kept);
    expect(createKeepId('another secret')('anna@example.com')).not.toBe(kept);
  });

  test('is found by later versions, since its hash with the same secret stays the same', () => {
    expect(keepId('anna@example.com')).toBe('a•••@example.com #igpedbfanjcd');
  });

  test('distinguishes people with the same mask, by letters, which are masked as no number', () => {
    const kept = Array.from({ length: 100 }, (_, n) => keepId(`a${n}@example.com`));
    expect(new Set(kept).size).toBe(100);
    for (const one of kept) expect(one).toMatch(/^a•••@example\.com #[a-p]{12}$/);
  });

  test('fits into the bound of an ID with its hash, however long the contact is', () => {
    const kept = keepId(`anna@example.com ${'é'.repeat(1_000)}`);
    expect(kept).toMatch(/^a•••@example\.com é+….* #[a-p]{12}$/);
    expect(Buffer.byteLength(kept)).toBeLessThanOrEqual(MOST_ID_BYTES);
  });
});

describe('a label that is stored', () => {
  test.each(['tenant:acme', 'vip', '', 'order #17'])('stays %j if there is nothing to hide', (label) => {
    expect(keptLabel(label)).toBe(label);
    expect(isChangedLabel(keptLabel(label))).toBe(false);
  });

  test.each([
    ['token:k-17', /^token:••• #[a-p]{12}$/],
    ['of anna@example.com', /^of a•••@example\.com #[a-p]{12}$/],
    ['te\u200bnant', /^tenant… #[a-p]{12}$/],
    [`${'tenant '.repeat(20)}anna@example.com`, /^(?:tenant )+t… #[a-p]{12}$/],
    [`anna@example.com ${'tenant '.repeat(20)}`, /^a•••@example\.com (?:tenant )+tenan… #[a-p]{12}$/],
  ])('is scrubbed, says so, and has a hash: %j', (label, kept) => {
    expect(keptLabel(label)).toMatch(kept);
    expect(isChangedLabel(keptLabel(label))).toBe(true);
    expect(keptLabel(label).length).toBeLessThanOrEqual(100 + ' #abcdefghijkl'.length);
  });

  test.each([
    'token:k-17',
    'pass=anna@example.com',
    `token:k-17 ${'tenant '.repeat(20)}`,
    'te\u200bnant',
    'anna@example.com password:',
  ])('stays the same when stored again: %j', (label) => {
    expect(keptLabel(keptLabel(label))).toBe(keptLabel(label));
  });

  test('is shown in full up to 100 characters', () => {
    const hundred = `a•••@example.com ${'tenant '.repeat(20)}`.slice(0, 100);
    expect(keptLabel(hundred.replace('•••', 'nna'))).toMatch(new RegExp(`^${hundred} #[a-p]{12}$`));
    expect(keptLabel(`${hundred.replace('•••', 'nna')}s`)).toMatch(new RegExp(`^${hundred.slice(0, 99)}… #[a-p]{12}$`));
  });

  test('is scrubbed even if it ends like one that was stored', () => {
    const labels = ['token:k-17 #abcdefghijkl', 'token:k-17• #abcdefghijkl', 'anna@example.com #abcdefghijkl'];
    for (const label of labels) expect(keptLabel(label)).not.toMatch(/k-17|anna/);
    expect(keptLabel('password: #abcdefghijkl')).not.toContain('abcdefghijkl');
  });

  test('is distinguished by its hash, or by that of what it is compared as', () => {
    const [one, other] = [keptLabel('token:k-17'), keptLabel('token:k-18')];
    expect(one).not.toBe(other);
    expect(keptLabel('token:k-17', 'token:k-18')).toBe(other);
  });
});
