import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, test } from 'vitest';
import { withIds } from '../../block-kit/ids.ts';
import { ofType, plain, smallestBlocks, smallestElements } from '../../validate/sample-blocks.testing.ts';
import { block, libraryTypes } from './block-schema.ts';
import { Blocks } from './blocks.tsx';
import { element } from './element-schema.ts';

const draw = (...blocks: Record<string, unknown>[]) => renderToStaticMarkup(createElement(Blocks, { blocks }));
const withActionId = (json: Record<string, unknown>) => ({ action_id: 'a', ...json });

describe('the blocks of the page', () => {
  test.each(smallestBlocks)('include every type that Slack accepts: $type', (json) => {
    const [stored] = withIds([json]);
    const isLibrarys = libraryTypes.some((type) => type === json.type);
    expect(isLibrarys || block.safeParse(stored).success).toBe(true);
  });

  test.each(smallestElements)('have every element that Slack accepts: $type', (json) => {
    expect(element.safeParse(withActionId(json)).error).toBeUndefined();
  });

  test('use default texts in a confirmation where the bot omits them', () => {
    const button = ofType('button', smallestElements);
    const asking = { ...withActionId(button), confirm: { text: plain('Sure?') } };
    expect(element.parse(asking)).toMatchObject({ confirm: { deny: { text: 'Cancel' } } });
  });

  test('include a note for one that can’t be drawn, followed by the next block', () => {
    const drawn = draw({ type: 'header' }, { type: 'header', text: plain('All is well') });
    expect(drawn).toContain('cannot draw a block of type “header”');
    expect(drawn).toContain('<h3>All is well</h3>');
  });

  test('show text from outside as text', () => {
    expect(draw({ type: 'alert', text: plain('<b>&lt;') })).toContain('&lt;b&gt;&lt;');
  });

  test('number a list from the bot’s offset', () => {
    const item = { type: 'rich_text_section', elements: [{ type: 'text', text: 'four' }] };
    const list = { type: 'rich_text_list', style: 'ordered', offset: 3, elements: [item] };
    expect(draw({ type: 'rich_text', elements: [list] })).toMatch(/<ol[^>]* start="4"/);
  });

  test('show a data table page by page', () => {
    const row = (text: string) => [{ type: 'raw_text', text }];
    const drawn = draw({ type: 'data_table', caption: 'Sent', page_size: 1, rows: ['Name', 'a', 'b'].map(row) });
    expect(drawn).toContain('<caption>Sent</caption>');
    expect(drawn).toContain('<td>a</td>');
    expect(drawn).not.toContain('<td>b</td>');
    expect(drawn).toContain('Page 1 of 2');
  });
});
