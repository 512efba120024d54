import fc from 'fast-check';
import { describe, expect, expectTypeOf, test } from 'vitest';
import type { audit } from '../../audit/tables.ts';
import type { changes } from '../../changes/tables.ts';
import type { slackMessages } from '../../outbox/tables.ts';
import type { kv } from '../../store/tables.ts';
import { aContact, reveals } from './contact-ids.testing.ts';
import cases from './shown-id.cases.json' with { type: 'json' };
import {
  askableId,
  boundedId,
  canBeInPath,
  isContact,
  MOST_ID_BYTES,
  maskedId,
  type StorableRow,
  stored,
} from './shown-id.ts';

describe('an id that is a contact', () => {
  test.each(cases.contacts)('%s is masked as %s', (id, hidden) => {
    expect(maskedId(id)).toBe(hidden);
    expect(isContact(id)).toBe(true);
  });

  test('stays the same when masked again', () => {
    fc.assert(
      fc.property(aContact(), ({ id }) => {
        expect(maskedId(maskedId(id))).toBe(maskedId(id));
      }),
    );
  });

  test('is masked in any spelling', () => {
    fc.assert(
      fc.property(aContact(), (contact) => {
        expect(isContact(contact.id)).toBe(true);
        expect(reveals(maskedId(contact.id), contact)).toBe(false);
      }),
      { numRuns: 100 },
    );
  });
});

describe('an id that is very long', () => {
  const filler = 'x '.repeat(2_000);

  test('is looked at, and shown, up to 4,000 characters', () => {
    const beyond = `${filler}anna@example.com`;
    expect(maskedId(beyond)).toBe(`${filler.slice(0, 3_999)}…`);
    expect(maskedId(filler)).toBe(filler);
  });

  test('has its contacts masked, and stays the same when masked again', () => {
    const long = `anna@example.com ${filler}`;
    expect(isContact(long)).toBe(true);
    expect(maskedId(long)).toBe(`a•••@example.com ${filler.slice(0, 3_982)}…`);
    expect(maskedId(maskedId(long))).toBe(maskedId(long));
  });
});

test.each(cases.others)('any other ID is shown unchanged: %s', (id) => {
  expect(maskedId(id)).toBe(id);
  expect(isContact(id)).toBe(false);
});

describe('a bounded id', () => {
  const longest = 'é'.repeat(MOST_ID_BYTES / 2);

  test('is the ID itself up to 512 bytes of UTF-8', () => {
    expect(boundedId('65f2a1c0d4e5f60718293a4b')).toBe('65f2a1c0d4e5f60718293a4b');
    expect(boundedId(longest)).toBe(longest);
  });

  test('is its beginning and a distinguishing hash beyond that', () => {
    const bounded = boundedId(`${longest}é`);
    expect(bounded).toMatch(/^é{48}…[0-9a-f]{32}$/);
    expect(boundedId(`${longest}è`)).not.toBe(bounded);
  });

  test('never exceeds the bound, breaks no character, and stays the same when bounded again', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 1_000 }), (id) => {
        const bounded = boundedId(id);
        expect(Buffer.byteLength(bounded)).toBeLessThanOrEqual(MOST_ID_BYTES);
        expect(bounded).not.toMatch(/\p{Surrogate}/u);
        expect(boundedId(bounded)).toBe(bounded);
      }),
    );
  });
});

test('a row is written with no text that came as it is, even if its column is new', () => {
  type Row = StorableRow<{ locale: string | null; labels: string[]; state: 'open' | 'over'; own: string }, 'own'>;
  type Written<Text> = { locale: Text | null; labels: Text[]; state: 'open'; own: string };
  const id = boundedId('de');
  expectTypeOf<Written<typeof id>>().toExtend<Row>();
  expectTypeOf<Written<string>>().not.toExtend<Row>();
  expectTypeOf<string[]>().not.toExtend<Row['labels']>();
});

test('JSON is written with no text that came as it is, in any of its columns', () => {
  expectTypeOf<{ kind: 'deploy'; name: string; actor: null }>().not.toExtend<(typeof changes.$inferInsert)['what']>();
  expectTypeOf<{ action: 'watch-made'; watch: string }>().not.toExtend<(typeof audit.$inferInsert)['change']>();
  expectTypeOf<{ text: string }>().not.toExtend<(typeof slackMessages.$inferInsert)['content']>();
  const value = stored({ text: boundedId('de'), is: 'noted', actor: String() });
  expectTypeOf({ key: '', value }).toExtend<typeof kv.$inferInsert>();
  // @ts-expect-error: a text that may be from outside
  stored({ event: { text: `${boundedId('de')}` } });
});

test.each(['', '.', '..', '\ud800'])(
  "prevents a request for an event by the ID %j, which can't be part of a URL path",
  (id) => {
    expect(canBeInPath(id)).toBe(false);
    expect(askableId(id)).toBeNull();
  },
);

test('prevents a request for an event by a shortened ID', () => {
  expect(askableId('x'.repeat(MOST_ID_BYTES))).not.toBeNull();
  expect(askableId('x'.repeat(MOST_ID_BYTES + 1))).toBeNull();
  expect(askableId(null)).toBeNull();
});
