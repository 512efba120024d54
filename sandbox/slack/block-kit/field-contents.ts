import type { FieldContents, Json, StateValues } from '../page-protocol.ts';

/** A field's place in a view or message. */
interface Spot {
  readonly blockId: string;
  readonly actionId: string;
}

/** Adds the input in one field, for as long as the field stays in the view. */
export function withTyped(typed: FieldContents, starts: FieldContents, spot: Spot, state: Json): FieldContents {
  const { blockId, actionId } = spot;
  return { ...typed, [blockId]: { ...typed[blockId], [actionId]: { since: sinceOf(starts, spot), state } } };
}

/** Returns the input as `state.values`, without that in fields that have left the view, even if they have returned. */
export function statesOf(typed: FieldContents, starts: FieldContents): StateValues {
  const blocks = Object.entries(typed).map(([blockId, fields]) => {
    const current = Object.entries(fields).filter(
      ([actionId, { since }]) => since === sinceOf(starts, { blockId, actionId }),
    );
    return [blockId, Object.fromEntries(current.map(([actionId, { state }]) => [actionId, state]))] as const;
  });
  return Object.fromEntries(blocks);
}

/** Returns the mark of a field's stay in its view, which changes when the field leaves and returns; empty in a message. */
export function sinceOf(starts: FieldContents, { blockId, actionId }: Spot): string {
  return starts[blockId]?.[actionId]?.since ?? '';
}
