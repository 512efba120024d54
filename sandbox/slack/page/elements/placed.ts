import { initialStateOf, stateOf, valueIn } from '../../block-kit/element-state.ts';
import type { Element, ElementOf } from '../blocks/element-schema.ts';
import type { Confirm, TextObject } from '../blocks/objects.ts';
import { type Spot, useSurface } from '../surface.tsx';
import { plainText } from '../text/text.tsx';

/** An element with its place on a surface. */
export interface Placed<Type extends Element['type'] = Element['type']> {
  readonly element: ElementOf<Type>;
  readonly spot: Spot;
  /** Whether a change is sent to the bot at once: always, except in an input block without `dispatch_action`. */
  readonly acts: boolean;
}

interface Stateful {
  readonly element: { readonly type: string; readonly confirm?: Confirm | undefined };
  readonly spot: Spot;
  readonly acts: boolean;
}

/** Returns an element's value and a function to change it. With `confirm` the change needs the person's confirmation. */
export function useValue({ element, spot, acts }: Stateful): readonly [unknown, (value: unknown) => void] {
  const { contentAt, change, act } = useSurface();
  const choose = async (value: unknown) => {
    const state = stateOf(element.type, value);
    if (!acts || element.confirm === undefined) change(spot, state);
    if (!acts) return;
    const sent = await act(spot, state, element.confirm);
    if (sent) change(spot, state);
  };
  return [valueIn(contentAt(spot) ?? initialStateOf({ ...element }) ?? {}), (value) => void choose(value)];
}

/** Returns the placeholder of an empty field. */
export function placeholderOf(element: { readonly placeholder?: TextObject | undefined }, fallback: string): string {
  return element.placeholder === undefined ? fallback : plainText(element.placeholder);
}

/** Returns the attributes by which tests and developers find an element. */
export function marks({ spot, element }: Pick<Placed, 'spot' | 'element'>) {
  return {
    'data-block-id': spot.blockId,
    'data-action-id': spot.actionId,
    'data-focus-on-load': ('focus_on_load' in element && element.focus_on_load) || undefined,
  };
}
