import { createContext, type ReactNode, useContext } from 'react';
import { FieldError, Label, Text } from 'react-aria-components';
import { marks, type Placed } from './placed.ts';

/** What an input block shows around its element. */
export interface Frame {
  readonly label: string;
  readonly isOptional: boolean;
  readonly hint: string | undefined;
  /** The error from the bot or Slack. */
  readonly error: string | undefined;
}

/** Null outside of input blocks. */
export const FrameContext = createContext<Frame | null>(null);

/**
 * Returns the props that every type of field gets. `name` is for screen readers outside of an input block, whose label would name the
 * field.
 */
export function useField(placed: Pick<Placed, 'element' | 'spot'>, name: string) {
  const frame = useContext(FrameContext);
  return {
    ...marks(placed),
    className: 'field',
    isInvalid: frame?.error !== undefined,
    ...(frame === null && { 'aria-label': name }),
  };
}

/** Shows the label, the error and the hint around a field. It must be inside a field of the library, which connects them. */
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
