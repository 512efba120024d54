import { controlsIn } from '../block-kit/controls.ts';
import { initialStateOf, valueIn } from '../block-kit/element-state.ts';
import type { FieldContents, Json, StateValues } from '../page-protocol.ts';
import { complaintAbout } from './complaints.ts';

/**
 * Returns Slack's `state.values` of the blocks: the input, else what the field began with, else empty. Leaves out unknown fields in `typed`.
 *
 * @param starts of a view; in a message a field begins with its initial value.
 */
export function completeState(blocks: readonly Json[], typed: StateValues, starts: FieldContents = {}): StateValues {
  const values: Record<string, Record<string, Json>> = {};
  for (const { blockId, actionId, element } of controlsIn(blocks)) {
    const initial = initialStateOf(element);
    if (initial === undefined) continue;
    const state = typed[blockId]?.[actionId] ?? starts[blockId]?.[actionId]?.state ?? initial;
    values[blockId] = { ...values[blockId], [actionId]: state };
  }
  return values;
}

/** Returns what Slack's client refuses before the bot gets the form, such as empty required fields, by block_id. */
export function incompleteFields(blocks: readonly Json[], values: StateValues): Readonly<Record<string, string>> {
  const inputs = controlsIn(blocks).filter(({ block }) => block.type === 'input');
  const problems = inputs.map(({ blockId, actionId, block, element }) => {
    const value = valueIn(values[blockId]?.[actionId] ?? {});
    return [blockId, complaintAbout(block, element, value)] as const;
  });
  return Object.fromEntries(problems.filter(([, complaint]) => complaint !== ''));
}
