import type { Element, ElementOf } from '../blocks/element-schema.ts';
import type { Confirm } from '../blocks/objects.ts';
import { stateOf, valueIn } from '../state.ts';
import { type Spot, useSurface } from '../surface.tsx';

/** How a field is named and described to a screen reader. */
export interface FieldAria {
  readonly 'aria-label'?: string | undefined;
  readonly 'aria-labelledby'?: string;
  readonly 'aria-describedby'?: string | undefined;
  readonly 'aria-invalid'?: boolean;
}

/** An element in its place on a surface. */
export interface Placed<Type extends Element['type'] = Element['type']> {
  readonly element: ElementOf<Type>;
  readonly spot: Spot;
  /** Whether a change is told to the bot at once: everywhere but in an input block without `dispatch_action`. */
  readonly acts: boolean;
  readonly aria: FieldAria;
}

interface Stateful {
  readonly element: { readonly type: string; readonly confirm?: Confirm | undefined };
  readonly spot: Spot;
  readonly acts: boolean;
}

/** The value of an element, and how to change it. With `confirm` the change stands only once the person has said yes. */
export function useValue({ element, spot, acts }: Stateful): readonly [unknown, (value: unknown) => void] {
  const { stateAt, change, act } = useSurface();
  const choose = async (value: unknown) => {
    const state = stateOf(element.type, value);
    if (!acts || element.confirm === undefined) change(spot, state);
    if (!acts) return;
    const sent = await act(spot, state, element.confirm);
    if (sent) change(spot, state);
  };
  return [valueIn(stateAt(spot)), (value) => void choose(value)];
}

/** The attributes that every element carries, so that a test or a curious person finds it. */
export function marks({ spot, element }: Pick<Placed, 'spot' | 'element'>) {
  return {
    'data-block-id': spot.blockId,
    'data-action-id': spot.actionId,
    'data-focus-on-load': ('focus_on_load' in element && element.focus_on_load) || undefined,
  };
}
