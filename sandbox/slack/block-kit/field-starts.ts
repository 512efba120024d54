import type { FieldContent, FieldContents, Json } from '../page-protocol.ts';
import { controlsIn } from './controls.ts';
import { initialStateOf } from './element-state.ts';

/**
 * Returns what each field of a view begins with. A field that was in the view before (the same block_id, action_id and type) keeps its
 * content when Slack redraws it, whatever its new initial value is; one that wasn't begins with that value.
 *
 * @param before of the view that is redrawn; empty for a new one.
 * @param since the mark of fields that weren't there before, different for each drawing.
 */
export function startsOf(blocks: readonly Json[], before: FieldContents, since: string): FieldContents {
  const starts: Record<string, Record<string, FieldContent>> = {};
  for (const { blockId, actionId, element } of controlsIn(blocks)) {
    const state = initialStateOf(element);
    if (state === undefined) continue;
    const kept = before[blockId]?.[actionId];
    const start = kept !== undefined && kept.state.type === state.type ? kept : { since, state };
    starts[blockId] = { ...starts[blockId], [actionId]: start };
  }
  return starts;
}
