import type { ActionsBlock, InputBlock, Option, PlainTextElement, SectionBlock } from '@slack/types';
import { createContext, type ReactNode, useContext, useId } from 'react';
import { z } from 'zod';
import { initialStateOf, stateOf, valueIn } from '../block-kit/fields.ts';
import { type ControlIds, useSurface } from './surface.tsx';
import { plainText } from './text/text.tsx';

type Element = ActionsBlock['elements'][number] | InputBlock['element'] | NonNullable<SectionBlock['accessory']>;

export interface Placed<Type extends Element['type'] = Element['type']> {
  element: Extract<Element, { type: Type }>;
  ids: ControlIds;
  /** Whether a change is sent to the bot at once: always, except in an input block without `dispatch_action`. */
  acts: boolean;
}

interface Stateful extends Pick<Placed, 'ids' | 'acts'> {
  element: { type: string };
}

/** Returns the element's value, and a function that changes it. */
export function useValue({ element, ids, acts }: Stateful): readonly [unknown, (value: unknown) => void] {
  const { contentAt, change, act } = useSurface();
  const choose = (value: unknown) => {
    const state = stateOf(element.type, value);
    change(ids, state);
    if (acts) void act(ids, state);
  };
  return [valueIn(contentAt(ids) ?? initialStateOf({ ...element }) ?? {}), choose];
}

const option = z.custom<Option>((json) => typeof json === 'object' && json !== null);

/** Returns the options in the value of a select: none, one or several. */
export function readOptions(value: unknown): Option[] {
  return [value].flat().flatMap((each) => option.safeParse(each).data ?? []);
}

export function placeholderOf({ placeholder }: { placeholder?: PlainTextElement }, fallback: string): string {
  return placeholder === undefined ? fallback : plainText(placeholder);
}

interface DataAttributes {
  'data-block-id': string;
  'data-focus-on-load': boolean | undefined;
}

/** By these, a view finds the fields to scroll to and to focus. */
export function dataAttributes({ ids, element }: Pick<Placed, 'ids' | 'element'>): DataAttributes {
  return {
    'data-block-id': ids.blockId,
    'data-focus-on-load': ('focus_on_load' in element && element.focus_on_load) || undefined,
  };
}

/** What an input block adds to its element. */
type Frame = Pick<InputBlock, 'label' | 'hint' | 'optional'> & { error: string | undefined };

export const FrameContext = createContext<Frame | null>(null);

/** The attributes that connect a control with its label, hint and error. */
interface Connected {
  id: string;
  'aria-label'?: string;
  'aria-labelledby'?: string;
  'aria-describedby'?: string;
}

interface FieldProps {
  placed: Pick<Placed, 'element' | 'ids'>;
  name: string;
  children: (connected: Connected) => ReactNode;
}

/** Draws a control, in an input block with its label, hint and error. `name` labels it elsewhere. */
export function Field({ placed, name, children }: FieldProps): ReactNode {
  const frame = useContext(FrameContext);
  const id = useId();
  if (frame === null)
    return (
      <div className="field" {...dataAttributes(placed)}>
        {children({ id, 'aria-label': name })}
      </div>
    );
  const { label, hint, optional, error } = frame;
  const [labelId, noteId] = [`${id}-label`, `${id}-note`];
  return (
    <div className="field" {...dataAttributes(placed)} data-invalid={error !== undefined || undefined}>
      <label id={labelId} htmlFor={id} className="field-label">
        {plainText(label)}
        {optional && <span className="quiet"> (optional)</span>}
      </label>
      {children({ id, 'aria-labelledby': labelId, 'aria-describedby': noteId })}
      <div id={noteId}>
        {error !== undefined && <span className="field-error">{error}</span>}
        {hint && <small>{plainText(hint)}</small>}
      </div>
    </div>
  );
}
