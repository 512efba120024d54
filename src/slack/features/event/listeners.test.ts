import type { ModalView } from '@slack/types';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../lib/text/payload.ts';
import { rawView } from './listeners.ts';

describe('an event as JSON', () => {
  test("shows the service's and its own field names", () => {
    expect(JSON.parse(jsonOf({ _id: '1', controls: { a: 1 } }))).toEqual({ _id: '1', controls: { a: 1 } });
  });

  test('shows a long text to its end, page by page', () => {
    const pages = pagesOf({ raw: 'The mailbox is full. '.repeat(4_800) });
    expect(pages.length).toBeGreaterThan(8);
    for (const { blocks } of pages) expect(JSON.stringify(blocks).length).toBeLessThan(16_000);
    const shown = pages.map(textOf).join('').replaceAll('\n', '');
    expect(shown.split('The mailbox is full.')).toHaveLength(4_801);
  });

  test('escapes invisible characters and those that change the text direction', () => {
    expect(jsonOf({ tags: ['gepj.\u202Etxt.exe\u200B\u{E0041}'] })).toContain(
      String.raw`"gepj.\u202etxt.exe\u200b\udb40\udc41"`,
    );
    expect(jsonOf({ tags: ['Größe 📦 *'] })).toContain('"Größe 📦 *"');
  });

  test('has no invisible characters, and is valid JSON of the same text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 50 }), (tag) => {
        const json = jsonOf({ tags: [tag] });
        expect(json).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}\u2028\u2029]/u);
        expect(JSON.parse(json).tags).toEqual([tag]);
      }),
    );
  });
});

const request = { environment: 'production', target: { kind: 'event', id: '65f000000000000000000001' } } as const;

function jsonOf(answer: JsonObject): string {
  return textOf(rawView(answer, { request, page: 0 }));
}

function pagesOf(answer: JsonObject): ModalView[] {
  const first = rawView(answer, { request, page: 0 });
  const count = Number(JSON.stringify(first).match(/Page 1 of (\d+)/)?.[1]);
  return Array.from({ length: count }, (_, page) => rawView(answer, { request, page }));
}

function textOf({ blocks }: ModalView): string {
  return blocks
    .flatMap((block) => (block.type === 'rich_text' && 'elements' in block ? block.elements : []))
    .flatMap(({ elements }) => elements.map((one) => ('text' in one ? one.text : '')))
    .join('\n');
}
