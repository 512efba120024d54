import type { ModalView } from '@slack/types';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { anyCharacter } from '../../../lib/text/any-character.testing.ts';
import type { JsonObject } from '../../../lib/text/payload.ts';
import { rawView } from './raw-event.ts';

describe('an event as JSON', () => {
  test("shows the service's and its own field names", () => {
    expect(JSON.parse(jsonOf({ _id: '1', controls: { a: 1 } }))).toEqual({ _id: '1', controls: { a: 1 } });
  });

  test('shows as much of a long text as Slack takes, and says so', () => {
    expect(jsonOf({ raw: 'The mailbox is full. '.repeat(2_500) })).toMatch(/full\. "\n\}$/);
    const long = rawView({ raw: '満'.repeat(100_000) });
    expect(JSON.stringify(long)).toMatch(/満…/);
    expect(Buffer.byteLength(JSON.stringify(long))).toBeLessThan(250_000);
  });

  test('escapes invisible characters and those that change the text direction', () => {
    expect(jsonOf({ tags: ['gepj.\u202Etxt.exe\u200B\u{E0041}'] })).toContain(
      String.raw`"gepj.\u202etxt.exe\u200b\udb40\udc41"`,
    );
    expect(jsonOf({ tags: ['Größe 📦 *'] })).toContain('"Größe 📦 *"');
  });

  test('has no invisible characters, and is valid JSON of the same text', () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter, maxLength: 50 }), (tag) => {
        const json = jsonOf({ tags: [tag] });
        expect(json).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}\u2028\u2029]/u);
        expect(JSON.parse(json).tags).toEqual([tag]);
      }),
    );
  });
});

const jsonOf = (answer: JsonObject): string => textOf(rawView(answer));

function textOf({ blocks }: ModalView): string {
  return blocks
    .flatMap((block) => (block.type === 'rich_text' && 'elements' in block ? block.elements : []))
    .flatMap(({ elements }) => elements.map((element) => ('text' in element ? element.text : '')))
    .join('\n');
}
