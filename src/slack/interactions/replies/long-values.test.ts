import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createSeal } from '../../../domain/access/seal.ts';
import { StoreTroubleError } from '../../../domain/health/store-trouble.ts';
import type { KeptTexts } from '../../../domain/text/kept-texts.ts';
import { actions, button, linkButton, message, section } from '../../blocks/blocks.ts';
import { parseValue, writeValue } from '../../blocks/button-value.ts';
import { lookUpButton, parseLookup, SEND_AGAIN, writeLookup } from '../../blocks/buttons/lookup-button.ts';
import { BLOCKS_JSON } from '../../blocks/limits.ts';
import { mrkdwn } from '../../blocks/text.ts';
import { formView } from '../../blocks/view.ts';
import { buttonsOf, expectFit, expectView, wordsOf } from '../../slack.testing.ts';
import { textsInMemory } from '../texts.testing.ts';
import { createLongValues } from './long-values.ts';

const DAY = 24 * 3_600_000;

function longValues(change: Partial<KeptTexts> = {}) {
  let now = Date.parse('2026-11-20T12:00:00Z');
  const texts = { ...textsInMemory(), ...change };
  const values = createLongValues({ texts, seal: createSeal('xoxb-secret'), now: () => new Date(now) });
  const passes = (ms: number) => {
    now += ms;
  };
  return { texts, values, passes };
}

const viewWith = (privateMetadata: string) =>
  formView({ callbackId: 'a', title: 'A', submit: 'Go', privateMetadata, blocks: [section(mrkdwn`One`)] });

const valuesIn = (content: unknown): string[] => JSON.stringify(content).match(/(?<="value":")[^"]*/g) ?? [];

describe('button values', () => {
  test('fit whatever the IDs, and survive a round trip', async () => {
    const { values } = longValues();
    const short = fc.string({ unit: 'binary', minLength: 1, maxLength: 10 });
    const long = fc.string({ unit: 'grapheme', minLength: 100, maxLength: 150 });
    const id = fc.oneof(short, long).map((text) => text.repeat(20));
    await fc.assert(
      fc.asyncProperty(id, async (one) => {
        const request = { environment: 'production', target: { kind: 'transaction', id: one } } as const;
        const row = section(mrkdwn`One`, lookUpButton(request));
        const made = message(mrkdwn`One`, [row, ...actions([button('Send again', SEND_AGAIN, writeLookup(request))])]);
        const fitted = await values.fitted(made);
        expectFit(fitted);
        for (const value of valuesIn(fitted)) {
          if (value.startsWith('v1#')) expect(parseLookup(await values.whole(value))).toEqual(request);
        }
      }),
      { numRuns: 50 },
    );
  });

  test('are kept sealed, with the same reference for the same value', async () => {
    const { texts, values } = longValues();
    const long = writeValue(['production', 'transaction', `${'x'.repeat(2_000)}anna@example.com`]);
    const made = message(mrkdwn`One`, actions([button('Look up', 'event.look-up', long)]));
    expect(valuesIn(await values.fitted(made))).toEqual(valuesIn(await values.fitted(made)));
    expect(JSON.stringify([...texts.kept])).not.toContain('anna');
    expect(texts.kept.size).toBe(1);
  });

  test("count as an older version's when they are no longer kept", async () => {
    const { values, passes } = longValues();
    const long = writeValue(['x'.repeat(2_500)]);
    const [reference = ''] = valuesIn(await values.fitted(message(mrkdwn`One`, actions([button('Go', 'go', long)]))));
    passes(31 * DAY);
    expect(parseValue(await values.whole(reference))).toBeNull();
  });

  test("are unchanged if they fit or weren't written by Notif", async () => {
    const { texts, values } = longValues();
    const made = message(mrkdwn`One`, actions([button('Go', 'go', writeValue(['short']))]));
    expect(await values.fitted(made)).toBe(made);
    expect(await values.whole('v1#not a reference')).toBe('v1#not a reference');
    expect(texts.kept.size).toBe(0);
  });

  test('leave out a link that is too long for Slack, and its row', async () => {
    const link = linkButton('Dashboard', 'event.dashboard', `https://dashboard.example/${'x'.repeat(3_000)}`);
    const fitted = await longValues().values.fitted(message(mrkdwn`One`, [section(mrkdwn`One`), ...actions([link])]));
    expectFit(fitted);
    expect(fitted.blocks).toHaveLength(1);
  });

  describe("while the store can't keep them", () => {
    const { values } = longValues({ keepText: () => Promise.reject(new StoreTroubleError('read-only')) });
    const many = (length: number, count: number) =>
      message(
        mrkdwn`One`,
        Array.from({ length: count }, (_, n) =>
          section(mrkdwn`Row ${n}`, button('Go', 'go', `v1|${'x'.repeat(length)}`)),
        ),
      );

    test('are sent as they are if Slack takes them', async () => {
      expect(await values.fitted(many(1_900, 5))).toEqual(many(1_900, 5));
    });

    test.each([
      ['one is too long for Slack', 2_100, 1],
      ['together they are', 1_900, 8],
    ])('are left out with their buttons if %s, and the message says so', async (_which, length, count) => {
      const fitted = await values.fitted(many(length, count));
      expectFit(fitted);
      expect(JSON.stringify(fitted.blocks).length).toBeLessThan(BLOCKS_JSON);
      expect(buttonsOf(fitted)).toEqual([]);
      expect(wordsOf(fitted)).toContain(`Row ${count - 1}`);
      expect(wordsOf(fitted)).toContain("Some buttons are missing here: Notif can't store anything right now.");
    });

    test("fail for a form whose metadata doesn't fit", async () => {
      await expect(values.fitted(viewWith('x'.repeat(5_000)))).rejects.toThrow(StoreTroubleError);
    });
  });

  test('fail with other errors of the store', async () => {
    const { values } = longValues({ keepText: () => Promise.reject(new TypeError('a bug')) });
    const made = message(mrkdwn`One`, actions([button('Go', 'go', 'x'.repeat(600))]));
    await expect(values.fitted(made)).rejects.toThrow(TypeError);
  });

  test("work the same for a form's metadata", async () => {
    const { values } = longValues();
    const privateMetadata = JSON.stringify({ id: 'x'.repeat(5_000) });
    const fitted = await values.fitted(viewWith(privateMetadata));
    expectView(fitted);
    expect(await values.whole(fitted.private_metadata ?? '')).toBe(privateMetadata);
  });
});
