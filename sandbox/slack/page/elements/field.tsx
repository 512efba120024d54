import { createContext, type ReactNode, useContext, useId } from 'react';
import { initialStateOf, stateOf, valueIn } from '../../block-kit/fields.ts';
import type { Confirm, Element, ElementOf, TextObject } from '../blocks/schema.ts';
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

export function placeholderOf(element: { readonly placeholder?: TextObject | undefined }, fallback: string): string {
  return element.placeholder === undefined ? fallback : plainText(element.placeholder);
}

export function marks({ spot, element }: Pick<Placed, 'spot' | 'element'>) {
  return {
    'data-block-id': spot.blockId,
    'data-action-id': spot.actionId,
    'data-focus-on-load': element.focus_on_load || undefined,
  };
}

interface Frame {
  readonly label: string;
  readonly isOptional: boolean;
  readonly hint: string | undefined;
  readonly error: string | undefined;
}

/** Null outside of input blocks. */
export const FrameContext = createContext<Frame | null>(null);

/** The attributes that connect a control with its label, error and hint for screen readers. */
interface Connected {
  readonly id: string;
  readonly 'aria-label'?: string;
  readonly 'aria-labelledby'?: string;
  readonly 'aria-describedby'?: string;
}

interface FieldProps {
  readonly placed: Pick<Placed, 'element' | 'spot'>;
  /** The name for screen readers outside of an input block, whose label would name the field. */
  readonly name: string;
  readonly children: (connected: Connected) => ReactNode;
}

export function Field({ placed, name, children }: FieldProps): ReactNode {
  const frame = useContext(FrameContext);
  const id = useId();
  if (frame === null)
    return (
      <div className="field" {...marks(placed)}>
        {children({ id, 'aria-label': name })}
      </div>
    );
  const [labelId, noteId] = [`${id}-label`, `${id}-note`];
  return (
    <div className="field" {...marks(placed)} data-invalid={frame.error !== undefined || undefined}>
      <label id={labelId} htmlFor={id} className="field-label">
        {frame.label}
        {frame.isOptional && <span className="quiet"> (optional)</span>}
      </label>
      {children({ id, 'aria-labelledby': labelId, 'aria-describedby': noteId })}
      <div id={noteId}>
        {frame.error !== undefined && <span className="field-error">{frame.error}</span>}
        {frame.hint !== undefined && <small>{frame.hint}</small>}
      </div>
    </div>
  );
}
