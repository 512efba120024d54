import { isJson, objectsIn, stringIn } from '../json.ts';
import type { Json } from '../page-protocol.ts';
import { withoutEscapes } from './escapes.ts';

/** An element that a person can operate, and its block. */
export interface Control {
  readonly blockId: string;
  readonly actionId: string;
  readonly element: Json;
  readonly block: Json;
}

/** Returns every element with an action_id in the blocks and in those inside them, in reading order. */
export function controlsIn(blocks: readonly Json[]): readonly Control[] {
  return blocks.flatMap((block) => [
    ...elementsOf(block).flatMap((element) => toControl(block, element)),
    ...controlsIn(blocksInside(block)),
  ]);
}

/** Returns the text of a text object or of an object with one in `text`, as a person reads it. */
export function labelOf(value: unknown): string {
  const text = isJson(value) ? value.text : undefined;
  return withoutEscapes(typeof text === 'string' ? text : (stringIn(text, 'text') ?? ''));
}

/** Returns the options of a select, overflow, checkboxes or radio buttons, with groups flattened. */
export function optionsOf(element: Json): readonly Json[] {
  return [
    ...objectsIn(element, 'options'),
    ...objectsIn(element, 'option_groups').flatMap((group) => objectsIn(group, 'options')),
  ];
}

/** Returns what a person can press or choose in an element: the label, and what it puts into `actions[0]`. */
export function choicesIn(element: Json): readonly { readonly label: string; readonly action: Json }[] {
  const buttons = [element.positive_button, element.negative_button].filter(isJson);
  return [
    { label: labelOf(element), action: {} },
    ...buttons.map((button) => ({ label: labelOf(button), action: { text: button.text, value: button.value } })),
    ...optionsOf(element).map((option) => ({ label: labelOf(option), action: { selected_option: option } })),
  ];
}

/** Returns every text that a reader sees in the value, in order: headings, fields, table cells, button labels. */
export function textsIn(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(textsIn);
  if (!isJson(value)) return [];
  return Object.entries(value).flatMap(([field, part]) =>
    field === 'text' && typeof part === 'string' ? [part] : textsIn(part),
  );
}

function elementsOf(block: Json): readonly Json[] {
  switch (block.type) {
    case 'actions':
    case 'context_actions':
      return objectsIn(block, 'elements');
    case 'card':
      return objectsIn(block, 'actions');
    default:
      return [block.accessory, block.element].filter(isJson);
  }
}

/** Returns the cards of a carousel and the blocks of a container. */
function blocksInside(block: Json): readonly Json[] {
  return block.type === 'carousel' ? objectsIn(block, 'elements') : objectsIn(block, 'child_blocks');
}

function toControl(block: Json, element: Json): readonly Control[] {
  const blockId = stringIn(block, 'block_id');
  const actionId = stringIn(element, 'action_id');
  return blockId === undefined || actionId === undefined ? [] : [{ blockId, actionId, element, block }];
}
