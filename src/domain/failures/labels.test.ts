import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ANY_EVENT, LABEL_KINDS, type Label, labelNumber, labelNumbersOf } from './labels.ts';

const NOTHING = { contextKeys: [], topicKeys: [], tags: [], severity: null };

describe("a label's number", () => {
  test('is one of the 64 of its kind, none of which is that of any event', () => {
    fc.assert(
      fc.property(fc.constantFrom(...LABEL_KINDS), fc.string(), (kind, value) => {
        const place = labelNumber({ kind, value }) - 1 - 64 * LABEL_KINDS.indexOf(kind);
        expect(place).toBeGreaterThanOrEqual(0);
        expect(place).toBeLessThan(64);
      }),
    );
    expect(ANY_EVENT).toBe(0);
  });

  test('can be any of those, so that labels of one kind rarely share one', () => {
    const labels = Array.from({ length: 1_000 }, (_, n): Label => ({ kind: 'context', value: `tenant:${n}` }));
    expect(new Set(labels.map(labelNumber)).size).toBe(64);
  });

  test.each<[Label, number: number]>([
    [{ kind: 'context', value: 'tenant:acme' }, 47],
    [{ kind: 'topic', value: 'launch' }, 87],
    [{ kind: 'severity', value: 'high' }, 199],
  ])('of %o stays %i in every version, since counts are stored by it', (label, number) => {
    expect(labelNumber(label)).toBe(number);
  });
});

describe('an event', () => {
  test('without labels is counted as any event', () => {
    expect(labelNumbersOf(NOTHING)).toEqual([ANY_EVENT]);
  });

  test('is counted once by each of its labels', () => {
    const event = { contextKeys: ['tenant:acme', 'tenant:acme'], topicKeys: ['a'], tags: ['b'], severity: 'high' };
    expect(labelNumbersOf(event)).toEqual([
      ANY_EVENT,
      labelNumber({ kind: 'context', value: 'tenant:acme' }),
      labelNumber({ kind: 'topic', value: 'a' }),
      labelNumber({ kind: 'tag', value: 'b' }),
      labelNumber({ kind: 'severity', value: 'high' }),
    ]);
  });
});
