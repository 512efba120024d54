import { stringIn } from '../../json.ts';
import { type Problem, problem } from '../problem.ts';
import { elementsOf, type Placed } from './placed.ts';
import type { Rule } from './rule.ts';

/** No two blocks of a message or view share a block_id. */
export const uniqueBlockIds: Rule = ({ blocks }) => repeats(blocks, 'block_id');

/** No two elements of a block share an action_id. */
export const uniqueActionIds: Rule = ({ blocks }) => blocks.flatMap((block) => repeats(elementsOf(block), 'action_id'));

function repeats(placed: readonly Placed[], field: 'block_id' | 'action_id'): readonly Problem[] {
  const ids = placed.map(({ object }) => stringIn(object, field));
  return placed.flatMap(({ at }, index) => {
    const id = ids[index];
    if (id === undefined || ids.indexOf(id) === index) return [];
    const message = `\`${field}\` "${id}" already exists`;
    return [problem(`${at}/${field}`, 'duplicate_id', message, { expected: ['unique'], got: id })];
  });
}
