import type { ModalView } from '@slack/types';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { aDetail, aJob, anEvent } from '../../domain/event.testing.ts';
import type { TriggeredEvent } from '../../domain/event.ts';
import { Payload } from '../../domain/payload.ts';
import { inFull, rawView } from './raw-modal.ts';

describe('an event as JSON', () => {
  it('masks the payload', async () => {
    const json = await jsonOf({ payload: new Payload({ note: 'for anna@example.com', apiKey: 'abc' }) });
    expect(JSON.parse(json).payload).toEqual({ note: 'for a•••@example.com', apiKey: '•••' });
  });

  it('shows a provider’s answer of 50 kB to its end, page by page', async () => {
    const raw = 'The mailbox of anna@example.com is full. '.repeat(1_200);
    const event = anEvent({ jobs: [aJob({ details: [aDetail({ raw })] })] });
    const pages = await pagesOf(event);
    expect(pages.length).toBeGreaterThan(4);
    for (const { blocks } of pages) expect(JSON.stringify(blocks).length).toBeLessThan(16_000);
    const shown = pages.map(textOf).join('').replaceAll('\n', '');
    expect(shown.split('The mailbox of a•••@example.com is full.')).toHaveLength(1_201);
  });

  it('writes out the characters that hide text or turn its direction', async () => {
    expect(await jsonOf({ tags: ['gepj.\u202Etxt.exe\u200B\u{E0041}'] })).toContain(
      String.raw`"gepj.\u202etxt.exe\u200b\udb40\udc41"`,
    );
    expect(await jsonOf({ tags: ['Größe 📦 *'] })).toContain('"Größe 📦 *"');
  });

  it('shows nothing unseen, and still is JSON of the same text', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary', maxLength: 50 }), async (tag) => {
        const json = await jsonOf({ tags: [tag] });
        expect(json).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}\u2028\u2029]/u);
        expect(JSON.parse(json).tags).toEqual([tag]);
      }),
    );
  });
});

const request = { environment: 'production', target: { kind: 'event', id: '65f000000000000000000001' } } as const;

/** What stands on the only page of an event's raw view. */
async function jsonOf(change: Partial<TriggeredEvent>): Promise<string> {
  return textOf(rawView(await inFull(anEvent(change), noPause), { request, page: 0 }));
}

/** Every page of an event's raw view. */
async function pagesOf(event: TriggeredEvent): Promise<ModalView[]> {
  const whole = await inFull(event, noPause);
  const first = rawView(whole, { request, page: 0 });
  const count = Number(JSON.stringify(first).match(/Page 1 of (\d+)/)?.[1]);
  return Array.from({ length: count }, (_, page) => rawView(whole, { request, page }));
}

async function noPause(): Promise<void> {}

function textOf({ blocks }: ModalView): string {
  return blocks
    .flatMap((block) => (block.type === 'rich_text' && 'elements' in block ? block.elements : []))
    .flatMap(({ elements }) => elements.map((one) => ('text' in one ? one.text : '')))
    .join('\n');
}
