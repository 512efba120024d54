import type { ModalView } from '@slack/types';
import type { ActionInteraction, FilledModal } from './interaction.ts';
import { type ErrorParts, isOwnDoing } from './on-error.ts';

/**
 * Redraws a form after a choice in it. If that fails, what was filled in stays, and the error is logged under a reference. Only errors that
 * the person can fix, such as a form of an older version, are thrown, to be shown above it.
 */
export async function redraw(
  { modal }: Pick<ActionInteraction, 'modal'>,
  draw: (modal: FilledModal) => ModalView | Promise<ModalView>,
  { logger, newReference }: Pick<ErrorParts, 'logger' | 'newReference'>,
): Promise<void> {
  if (modal === null) return;
  try {
    await modal.update(await draw(modal));
  } catch (error) {
    if (isOwnDoing(error)) throw error;
    logger.warn({ reference: newReference(), err: error }, 'a form could not be drawn again and stays as it is');
  }
}
