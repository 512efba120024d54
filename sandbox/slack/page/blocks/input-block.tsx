import type { ReactNode } from 'react';
import { ElementView } from '../elements/element-view.tsx';
import { FrameContext } from '../elements/field.tsx';
import { plainText } from '../text/text.tsx';
import type { BlockOf } from './block-schema.ts';

interface InputBlockProps {
  readonly block: BlockOf<'input'>;
  readonly error: string | undefined;
}

/** Shows a labeled field of a form, with its hint and the error from the bot (or Slack). */
export function InputBlock({ block, error }: InputBlockProps): ReactNode {
  const frame = {
    label: plainText(block.label),
    isOptional: block.optional === true,
    hint: block.hint && plainText(block.hint),
    error,
  };
  return (
    <FrameContext value={frame}>
      <ElementView element={block.element} blockId={block.block_id} acts={block.dispatch_action === true} />
    </FrameContext>
  );
}
