import type { z } from 'zod';
import { type Arguments, invalidArguments, Refusal } from '../arguments.ts';
import { textsIn, withIds } from '../block-kit/controls.ts';
import { isJson, objectsIn, stringIn } from '../json.ts';
import type { Json } from '../page-protocol.ts';
import type { MessageContent } from '../state.ts';
import { byType, messageBlocks, suggestions, views } from './kinds.ts';
import { Shapes } from './shapes.ts';

/** Something that Slack wouldn't accept, with its RFC 6901 pointer ('/blocks/0/text/text'). */
interface Problem {
  message: string;
  pointer: string;
}

export const NOT_HERE = 'not supported in this workspace';

/** Slack's error for a second table, which chat.* return in another shape than other problems. */
const ONE_TABLE = 'only_one_table_allowed';

/** The blocks and cells of 2026, which Slack introduces workspace by workspace. */
export const NEWER_KINDS = ['container', 'data_table', 'action_cell', 'data_visualization'] as const;
export type NewerKind = (typeof NEWER_KINDS)[number];

const MOST_CHARTS = 2;
const MOST_CELL_TEXT = 10_000;

const MAX_VIEW_BYTES = 250_000;

/** Slack doesn't document this limit of the blocks' JSON (slackapi/bolt-js #2509, #2867). A data table counts only by its texts. */
const MAX_BLOCKS_JSON = 13_200;

/** Slack cuts longer text in `chat.postMessage` and refuses it elsewhere. */
export const POSTED_TEXT_LIMIT = 40_000;
/** The hard limit that `chat.update` documents. */
export const UPDATED_TEXT_LIMIT = 4_000;

/** The only validator of Block Kit, used by every call with blocks or views. Each problem has a pointer under `at`. */
export class BlockKit {
  /** Kinds of blocks and cells that this workspace refuses, as one does to which Slack has yet to introduce them. */
  refused: readonly unknown[] = [];
  readonly shapes = new Shapes();

  blocks(blocks: unknown, at: string): readonly Problem[] {
    return [...problemsOf(messageBlocks, blocks, at), ...this.#problemsAcross(blocks, at)];
  }

  view(view: unknown, type: 'modal' | 'home' | 'any', at: string): readonly Problem[] {
    const problems = problemsOf(byType(type === 'any' ? views : { [type]: views[type] }), view, at);
    return [...problems, ...this.#problemsAcross(isJson(view) ? view.blocks : [], `${at}/blocks`)];
  }

  suggestions(answer: unknown): readonly Problem[] {
    if (textsIn(answer).length > 0) this.shapes.note({ in: 'suggestions', payload: answer });
    return problemsOf(suggestions, answer, '');
  }

  acceptContent(args: Arguments): MessageContent {
    const blocks = this.#acceptBlocks(args.structure('blocks') ?? []);
    const text = args.text('text') ?? '';
    if (text === '' && blocks.length === 0) throw new Refusal('no_text');
    const metadata = args.structure('metadata');
    return { text, blocks: withIds(blocks), metadata: isJson(metadata) ? metadata : null };
  }

  acceptView(view: unknown, type: 'modal' | 'home'): Json {
    if (!isJson(view)) throw invalidArguments('must provide an object [json-pointer:/view]');
    this.shapes.note({ in: 'view', payload: view });
    if (Buffer.byteLength(JSON.stringify(view)) > MAX_VIEW_BYTES) throw new Refusal('view_too_large');
    const lines = this.view(view, type, '/view').map(lineOf);
    if (lines.length > 0) throw invalidArguments('failed to match all allowed schemas [json-pointer:/view]', ...lines);
    return { ...view, blocks: withIds(objectsIn(view, 'blocks')) };
  }

  #acceptBlocks(blocks: unknown): readonly Json[] {
    if (!Array.isArray(blocks)) throw new Refusal('invalid_blocks_format');
    if (blocks.length > 0) this.shapes.note({ in: 'blocks', payload: blocks });
    const problems = this.blocks(blocks, '/blocks');
    if (problems.some(({ message }) => message === ONE_TABLE))
      throw new Refusal('invalid_attachments', { response_metadata: { messages: [ONE_TABLE] } });
    const errors = problems.map(lineOf);
    if (errors.length > 0) {
      const messages = errors.map((line) => `[ERROR] ${line}`);
      throw new Refusal('invalid_blocks', { errors, response_metadata: { messages } });
    }
    // Of a data table, only its texts count (MAX_BLOCKS_JSON).
    const counted = (block: unknown) =>
      isJson(block) && block.type === 'data_table' ? textsIn(block.rows).join('') : block;
    if (JSON.stringify(blocks.map(counted)).length > MAX_BLOCKS_JSON) throw new Refusal('msg_blocks_too_long');
    return blocks.filter(isJson);
  }

  #problemsAcross(list: unknown, at: string): readonly Problem[] {
    const blocks = placedIn(list, at).flatMap((block) => [
      block,
      ...placedIn(block.object.child_blocks, `${block.at}/child_blocks`),
    ]);
    const elements = blocks.map(elementsOf);
    const ofType = (type: string) => blocks.filter(({ object }) => object.type === type);
    const cells = ofType('data_table').flatMap(({ object }) => textsIn(object.rows));
    const limits: readonly (readonly [isExceeded: boolean, message: string])[] = [
      [
        elements.flat().filter(({ object }) => object.focus_on_load).length > 1,
        'only one element may use `focus_on_load`',
      ],
      [ofType('data_table').length > 1, ONE_TABLE],
      [ofType('data_visualization').length > MOST_CHARTS, `no more than ${MOST_CHARTS} charts allowed`],
      [[...cells.join('')].length > MOST_CELL_TEXT, `the cells must be less than ${MOST_CELL_TEXT + 1} characters`],
    ];
    const newer = [...blocks, ...blocks.flatMap(cellsOf)].filter(({ object }) => this.refused.includes(object.type));
    return [
      ...newer.map((block) => ({ pointer: `${block.at}/type`, message: NOT_HERE })),
      ...repeats(blocks, 'block_id'),
      ...elements.flatMap((each) => repeats(each, 'action_id')),
      ...limits.flatMap(([isExceeded, message]) => (isExceeded ? [{ pointer: at, message }] : [])),
    ];
  }
}

export const lineOf = ({ message, pointer }: Problem): string => `${message} [json-pointer:${pointer}]`;

function problemsOf(schema: z.ZodType, value: unknown, at: string): readonly Problem[] {
  const issues = schema.safeParse(value).error?.issues ?? [];
  return issues.map((issue) => {
    const pointer = [at, ...issue.path.map(String)].join('/');
    const isMissing = issue.code === 'invalid_type' && valueAt(value, issue.path) === undefined;
    if (isMissing && issue.path.length > 0) {
      const holder = [at, ...issue.path.slice(0, -1).map(String)].join('/');
      return { pointer: holder, message: `missing required field: ${String(issue.path.at(-1))}` };
    }
    const extra = issue.code === 'unrecognized_keys' ? issue.keys[0] : undefined;
    return { pointer, message: extra === undefined ? issue.message : `invalid additional property: ${extra}` };
  });
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (part, key) => (typeof part === 'object' && part !== null ? Reflect.get(part, key) : undefined),
    value,
  );
}

interface Placed {
  object: Json;
  at: string;
}

function placedIn(list: unknown, at: string): readonly Placed[] {
  if (!Array.isArray(list)) return [];
  return list.flatMap((object, index) => (isJson(object) ? [{ object, at: `${at}/${index}` }] : []));
}

function elementsOf({ object, at }: Placed): readonly Placed[] {
  const fields = ['accessory', 'element'].flatMap((field) => {
    const value = object[field];
    return isJson(value) ? [{ object: value, at: `${at}/${field}` }] : [];
  });
  const buttons = cellsOf({ object, at }).flatMap((cell) =>
    isJson(cell.object.element) ? [{ object: cell.object.element, at: `${cell.at}/element` }] : [],
  );
  return [...fields, ...placedIn(object.elements, `${at}/elements`), ...buttons];
}

function cellsOf({ object: { rows }, at }: Placed): readonly Placed[] {
  return Array.isArray(rows) ? rows.flatMap((row, index) => placedIn(row, `${at}/rows/${index}`)) : [];
}

function repeats(placed: readonly Placed[], field: 'block_id' | 'action_id'): readonly Problem[] {
  const ids = placed.map(({ object }) => stringIn(object, field));
  return placed.flatMap(({ at }, index) => {
    const id = ids[index];
    if (id === undefined || ids.indexOf(id) === index) return [];
    return [{ pointer: `${at}/${field}`, message: `\`${field}\` "${id}" already exists` }];
  });
}
