import { describe, expect, test } from 'vitest';
import { BlockKit } from './block-kit.ts';
import { fullChart, fullDataTable, fullMessage, fullModal } from './full-samples.ts';
import { type Block, modal, smallestBlocks } from './sample-blocks.ts';

const blockKit = new BlockKit();

describe('the fields of Block Kit', () => {
  test('are all accepted', () => {
    expect(blockKit.blocks(fullMessage, '')).toEqual([]);
    expect(blockKit.blocks([fullDataTable, fullChart], '')).toEqual([]);
    expect(blockKit.view(fullModal, 'modal', '')).toEqual([]);
    expect(
      blockKit.view(
        { type: 'home', private_metadata: 'p', callback_id: 'c', external_id: 'e', blocks: [] },
        'home',
        '',
      ),
    ).toEqual([]);
  });

  const placed = smallestBlocks.map((block) => [String(block.type), block] as const);

  test.each(placed)('are all required in the smallest %s', (type, block) => {
    const others = Object.keys(block).filter((field) => field !== 'type');
    for (const missing of others) {
      const { [missing]: _, ...rest } = block;
      expect(complaintsAbout(rest), `${type} without ${missing}`).toHaveLength(1);
    }
  });

  test.each(placed)('are the only ones allowed in %s', (_type, block) => {
    expect(complaintsAbout({ ...block, colour: 'red' })).toEqual(['invalid additional property: colour']);
  });
});

/** Returns Slack's complaints about a block in a message, or in a modal if it is a block for modals. */
function complaintsAbout(block: Block): readonly string[] {
  const problems =
    block.type === 'alert' ? blockKit.view(modal({ blocks: [block] }), 'modal', '') : blockKit.blocks([block], '');
  return problems.map(({ message }) => message);
}
