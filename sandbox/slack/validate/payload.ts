import { controlsIn } from '../block-kit/controls.ts';
import { withIds } from '../block-kit/ids.ts';
import { isJson, objectsIn, stringIn } from '../json.ts';
import type { Json } from '../page-protocol.ts';
import { type BlockSurface, blockOn } from './blocks.ts';
import { list, type Problem, problem, type Rule } from './rules.ts';

/** Slack's `no more than N items`: 50 blocks in a message, 100 in a view. */
const MAX_BLOCKS: Readonly<Record<BlockSurface, number>> = { message: 50, modal: 100, home: 100 };
const MAX_MARKDOWN = 12_000;

/** Slack's own word for a second table; chat.* answer it in another shape than other problems. */
export const ONE_TABLE = 'only_one_table_allowed';

/** Checks blocks one by one, then what Slack asks of them together. */
export function checkBlocks(blocks: unknown, surface: BlockSurface, at: string): readonly Problem[] {
  const each = list({ max: MAX_BLOCKS[surface] }, blockOn[surface])(blocks, at);
  return [...each, ...together.flatMap((rule) => rule(Array.isArray(blocks) ? blocks.filter(isJson) : [], at))];
}

type Together = (blocks: readonly Json[], at: string) => readonly Problem[];

const uniqueBlockIds: Together = (blocks, at) =>
  repeats(blocks.map((block) => stringIn(block, 'block_id'))).map((index) =>
    problem(`${at}/${index}/block_id`, 'duplicate_id', '`block_id` already exists', ['unique'], 'duplicate'),
  );

const uniqueActionIds: Together = (blocks, at) =>
  blocks.flatMap((block, blockIndex) =>
    repeats(objectsIn(block, 'elements').map((element) => stringIn(element, 'action_id'))).map((index) =>
      problem(
        `${at}/${blockIndex}/elements/${index}/action_id`,
        'duplicate_id',
        '`action_id` already exists in this block',
        ['unique'],
        'duplicate',
      ),
    ),
  );

const markdownTogether: Together = (blocks, at) => {
  const total = ofType(blocks, 'markdown').reduce((sum, block) => sum + (stringIn(block, 'text') ?? '').length, 0);
  if (total <= MAX_MARKDOWN) return [];
  return [problem(at, 'too_long', `markdown must be less than ${MAX_MARKDOWN + 1} characters in total`, [], total)];
};

const oneTable: Together = (blocks, at) =>
  ofType(blocks, 'table').length > 1 ? [problem(at, ONE_TABLE, ONE_TABLE, ['1'], '2')] : [];

const oneFocus: Together = (blocks, at) => {
  const focused = controlsIn(withIds(blocks)).filter(({ element }) => element.focus_on_load === true);
  return focused.length > 1
    ? [problem(at, 'too_many', 'only one element may use `focus_on_load`', ['1'], focused.length)]
    : [];
};

const together: readonly Together[] = [uniqueBlockIds, uniqueActionIds, markdownTogether, oneTable, oneFocus];

/** The places of values that stood before. */
function repeats(values: readonly (string | undefined)[]): readonly number[] {
  return values.flatMap((value, index) => (value !== undefined && values.indexOf(value) < index ? [index] : []));
}

function ofType(blocks: readonly Json[], type: string): readonly Json[] {
  return blocks.filter((block) => block.type === type);
}

/** `checkBlocks` as the rule for a field that holds blocks. */
export const blocksRule =
  (surface: BlockSurface): Rule =>
  (value, at) =>
    checkBlocks(value, surface, at);
