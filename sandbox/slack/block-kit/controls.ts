import { isJson, objectsIn, stringIn } from '../json.ts';
import type { Json } from '../page-protocol.ts';

/** An element that a person can act on, and the block that it stands in. */
export interface Control {
  readonly blockId: string;
  readonly actionId: string;
  readonly element: Json;
  readonly block: Json;
}

/** Every element with an action_id in the blocks, in reading order. */
export function controlsIn(blocks: readonly Json[]): readonly Control[] {
  return blocks.flatMap((block) => elementsOf(block).flatMap((element) => toControl(block, element)));
}

/** The text of a text object or of anything that has one as its `text`. */
export function labelOf(value: unknown): string {
  const text = isJson(value) ? value.text : undefined;
  return typeof text === 'string' ? text : (stringIn(text, 'text') ?? '');
}

/** The options of a select, overflow, checkboxes or radio buttons; groups are laid out flat. */
export function optionsOf(element: Json): readonly Json[] {
  return [
    ...objectsIn(element, 'options'),
    ...objectsIn(element, 'option_groups').flatMap((group) => objectsIn(group, 'options')),
  ];
}

/** Every piece of text that a reader sees in the value, in order: headings, fields, table cells, labels of buttons. */
export function textsIn(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(textsIn);
  if (!isJson(value)) return [];
  return Object.entries(value).flatMap(([field, part]) =>
    field === 'text' && typeof part === 'string' ? [part] : textsIn(part),
  );
}

function elementsOf(block: Json): readonly Json[] {
  const single = [block.accessory, block.element].filter(isJson);
  return block.type === 'actions' ? objectsIn(block, 'elements') : single;
}

function toControl(block: Json, element: Json): readonly Control[] {
  const blockId = stringIn(block, 'block_id');
  const actionId = stringIn(element, 'action_id');
  return blockId === undefined || actionId === undefined ? [] : [{ blockId, actionId, element, block }];
}
