import { isJson, objectsIn, stringIn } from '../json.ts';
import type { Json, StateValues } from '../page-protocol.ts';
import { initialStateOf, withoutEscapes } from './fields.ts';

export interface Control {
  blockId: string;
  actionId: string;
  element: Json;
  block: Json;
}

export function controlsIn(blocks: readonly Json[]): readonly Control[] {
  return blocks.flatMap((block) => [
    ...elementsOf(block).flatMap((element) => toControl(block, element)),
    ...controlsIn(objectsIn(block, 'child_blocks')),
  ]);
}

export function labelOf(value: unknown): string {
  const text = isJson(value) ? value.text : undefined;
  return withoutEscapes(typeof text === 'string' ? text : (stringIn(text, 'text') ?? ''));
}

export function optionsOf(element: Json): readonly Json[] {
  return [
    ...objectsIn(element, 'options'),
    ...objectsIn(element, 'option_groups').flatMap((group) => objectsIn(group, 'options')),
  ];
}

/** A button counts by its own label, a menu by those of its options. */
export function clickablesOf(element: Json): readonly { label: string; action: Json }[] {
  return [
    { label: labelOf(element), action: {} },
    ...optionsOf(element).map((option) => ({ label: labelOf(option), action: { selected_option: option } })),
  ];
}

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
      return objectsIn(block, 'elements');
    case 'data_table':
      return [block.rows].flat(2).flatMap((cell) => (isJson(cell) && isJson(cell.element) ? [cell.element] : []));
    default:
      return [block.accessory, block.element].filter(isJson);
  }
}

function toControl(block: Json, element: Json): readonly Control[] {
  const blockId = stringIn(block, 'block_id');
  const actionId = stringIn(element, 'action_id');
  return blockId === undefined || actionId === undefined ? [] : [{ blockId, actionId, element, block }];
}

export function withIds(blocks: readonly Json[]): readonly Json[] {
  return blocks.map((block) => {
    return { ...block, block_id: block.block_id ?? MADE_HERE + shortId(), ...partsWithIds(block) };
  });
}

function partsWithIds(block: Json): Json {
  switch (block.type) {
    case 'container':
      return { child_blocks: withIds(objectsIn(block, 'child_blocks')) };
    case 'actions':
      return { elements: objectsIn(block, 'elements').map(withActionId) };
    default:
      return {
        ...(isJson(block.accessory) && { accessory: withActionId(block.accessory) }),
        ...(isJson(block.element) && { element: withActionId(block.element) }),
      };
  }
}

const withActionId = (element: Json): Json => ({ ...element, action_id: element.action_id ?? shortId() });

/** Slack gives a block without an ID another one at each edit. */
const MADE_HERE = '=';

export const isGivenId = (blockId: string): boolean => !blockId.startsWith(MADE_HERE);

export const shortId = (): string => crypto.randomUUID().replaceAll('-', '').slice(0, 10).toUpperCase();

/** Returns the typed values that still have a field. Slack forgets one once a redrawn view has no field of the same IDs and type. */
export function keptValues(typed: StateValues, blocks: readonly Json[]): StateValues {
  const values: Record<string, Record<string, Json>> = {};
  for (const { blockId, actionId, element } of controlsIn(blocks)) {
    const state = typed[blockId]?.[actionId];
    if (state !== undefined && state.type === element.type) values[blockId] = { ...values[blockId], [actionId]: state };
  }
  return values;
}

/** Returns Slack's `state.values` of the blocks: what was typed, else what the field of a view began with, else its initial value. */
export function completeState(blocks: readonly Json[], typed: StateValues, starts: StateValues = {}): StateValues {
  const values: Record<string, Record<string, Json>> = {};
  for (const { blockId, actionId, element } of controlsIn(blocks)) {
    const initial = initialStateOf(element);
    if (initial === undefined) continue;
    const states = [typed[blockId]?.[actionId], starts[blockId]?.[actionId]];
    const given = states.find((state) => state?.type === initial.type);
    values[blockId] = { ...values[blockId], [actionId]: given ?? initial };
  }
  return values;
}
