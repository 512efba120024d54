import { textsIn } from '../block-kit/controls.ts';
import { isJson, stringIn } from '../json.ts';
import type { Json } from '../page-protocol.ts';
import { byType, type Problem, problem } from './check.ts';
import { messageBlocks, suggestions, views } from './kinds.ts';

/** What a workspace says of blocks that it doesn't have yet. */
export const NOT_HERE = 'not supported in this workspace';

/** Slack's words for a second table, which chat.* return in another shape than other problems. */
export const ONE_TABLE = 'only_one_table_allowed';

/** The blocks of 2026, which Slack introduces workspace by workspace. */
const NEWER_BLOCKS: readonly unknown[] = ['alert', 'container', 'data_table', 'data_visualization'];

const MOST_CHARTS = 2;
const MOST_CELL_TEXT = 10_000;

/** The only validator of Block Kit, used by every call with blocks or views. Each problem has a pointer under `at`. */
export class BlockKit {
  /** Whether this is a workspace that doesn't have `NEWER_BLOCKS` yet. */
  refusesNewerBlocks = false;

  blocks(blocks: unknown, at: string): readonly Problem[] {
    return [...messageBlocks(blocks, at), ...this.#together(blocks, at)];
  }

  view(view: unknown, type: 'modal' | 'home' | 'any', at: string): readonly Problem[] {
    const check = byType(type === 'any' ? views : { [type]: views[type] });
    return [...check(view, at), ...this.#together(isJson(view) ? view.blocks : [], `${at}/blocks`)];
  }

  /** Validates a bot's answer when a person types in an external select: up to 100 options or groups. */
  suggestions(answer: unknown): readonly Problem[] {
    return suggestions(answer, '');
  }

  #together(list: unknown, at: string): readonly Problem[] {
    const blocks = placedIn(list, at).flatMap((block) => [
      block,
      ...placedIn(block.object.child_blocks, `${block.at}/child_blocks`),
    ]);
    const elements = blocks.map(elementsOf);
    const ofType = (type: string) => blocks.filter(({ object }) => object.type === type);
    const cells = ofType('data_table')
      .flatMap(({ object }) => textsIn(object.rows))
      .join('');
    const focused = elements.flat().filter(({ object }) => object.focus_on_load === true);
    const newer = this.refusesNewerBlocks ? blocks.filter(({ object }) => NEWER_BLOCKS.includes(object.type)) : [];
    return [
      ...newer.flatMap((block) => problem(`${block.at}/type`, `${block.object.type} is ${NOT_HERE}`)),
      ...repeats(blocks, 'block_id'),
      ...elements.flatMap((each) => repeats(each, 'action_id')),
      ...(focused.length > 1 ? problem(at, 'only one element may use `focus_on_load`') : []),
      ...(ofType('data_table').length > 1 ? problem(at, ONE_TABLE) : []),
      ...(ofType('data_visualization').length > MOST_CHARTS
        ? problem(at, `no more than ${MOST_CHARTS} \`data_visualization\` blocks allowed`)
        : []),
      ...([...cells].length > MOST_CELL_TEXT
        ? problem(at, `the cells must be less than ${MOST_CELL_TEXT + 1} characters in total`)
        : []),
    ];
  }
}

interface Placed {
  readonly object: Json;
  readonly at: string;
}

function placedIn(list: unknown, at: string): readonly Placed[] {
  if (!Array.isArray(list)) return [];
  return list.flatMap((object, index) => (isJson(object) ? [{ object, at: `${at}/${index}` }] : []));
}

/** Returns a block's elements: what can be pressed, picked or filled in, and its accessory. */
function elementsOf({ object, at }: Placed): readonly Placed[] {
  const fields = ['accessory', 'element'].flatMap((field) => {
    const value = object[field];
    return isJson(value) ? [{ object: value, at: `${at}/${field}` }] : [];
  });
  return [...fields, ...placedIn(object.elements, `${at}/elements`)];
}

function repeats(placed: readonly Placed[], field: 'block_id' | 'action_id'): readonly Problem[] {
  const ids = placed.map(({ object }) => stringIn(object, field));
  return placed.flatMap(({ at }, index) => {
    const id = ids[index];
    if (id === undefined || ids.indexOf(id) === index) return [];
    return problem(`${at}/${field}`, `\`${field}\` "${id}" already exists`);
  });
}
