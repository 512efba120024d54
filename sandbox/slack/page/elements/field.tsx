import { createContext, type ReactNode, useContext } from 'react';
import { FieldError, Label, Text } from 'react-aria-components';
import { marks, type Placed } from './placed.ts';

/** What an input block says around its element. */
export interface Frame {
  readonly label: string;
  readonly isOptional: boolean;
  readonly hint: string | undefined;
  /** What the bot, or Slack, found wrong with what was entered. */
  readonly error: string | undefined;
}

/** Null outside of input blocks. */
export const FrameContext = createContext<Frame | null>(null);

/** What each field gets, whatever its kind. `name` is for a screen reader, outside of an input block: there the label names the field. */
export function useField(placed: Pick<Placed, 'element' | 'spot'>, name: string) {
  const frame = useContext(FrameContext);
  return {
    ...marks(placed),
    className: 'field',
    isInvalid: frame?.error !== undefined,
    ...(frame === null && { 'aria-label': name }),
  };
}

/** The label, the error and the hint around what is entered. Used inside a field of the library, which ties them together. */
export function Framed({ children }: { readonly children: ReactNode }): ReactNode {
  const frame = useContext(FrameContext);
  if (frame === null) return children;
  return (
    <>
      <Label className="field-label">
        {frame.label}
        {frame.isOptional && <span className="quiet"> (optional)</span>}
      </Label>
      {children}
      <FieldError className="field-error">{frame.error}</FieldError>
      {frame.hint !== undefined && (
        <Text slot="description" className="quiet">
          {frame.hint}
        </Text>
      )}
    </>
  );
}
