import { type ReactNode, useId } from 'react';
import { ElementView } from '../elements/element-view.tsx';
import { plainText } from '../text/text.tsx';
import type { BlockOf } from './block-schema.ts';

interface InputBlockProps {
  readonly block: BlockOf<'input'>;
  readonly error: string | undefined;
}

/** A labelled field of a form, with its hint and what the bot (or Slack) found wrong with it. */
export function InputBlock({ block, error }: InputBlockProps): ReactNode {
  const id = useId();
  const aria = {
    'aria-labelledby': `${id}-label`,
    'aria-describedby': `${id}-hint ${id}-error`,
    'aria-invalid': error !== undefined,
  };
  return (
    <>
      <div className="label">
        <span id={`${id}-label`}>{plainText(block.label)}</span>
        {block.optional && <span className="quiet"> (optional)</span>}
      </div>
      <ElementView element={block.element} blockId={block.block_id} acts={block.dispatch_action === true} aria={aria} />
      <p id={`${id}-error`} className="field-error" role="alert">
        {error}
      </p>
      <p id={`${id}-hint`} className="quiet">
        {block.hint && plainText(block.hint)}
      </p>
    </>
  );
}
