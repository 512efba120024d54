import { environmentNamed } from '../../domain/environment.ts';
import { type ShowTriggerParts, showTrigger } from '../../use-cases/triggers/show-trigger.ts';
import type { MessageContent } from '../blocks/blocks.ts';
import { resultView } from '../blocks/view.ts';
import { inModal } from '../interactions/in-modal.ts';
import type { ErrorParts } from '../interactions/on-error.ts';
import { actionDoor, type Door, doorsFor } from '../interactions/route.ts';
import { ALL_ROWS } from './message.ts';
import {
  forgottenMessage,
  ROWS_BACK,
  ROWS_ON,
  ROWS_TITLE,
  type RowsPage,
  readRowsPage,
  rowsMessage,
} from './rows-message.ts';

export interface RowsParts extends ErrorParts, ShowTriggerParts {}

/** [All rows] of a trigger, and its pages. */
export function rowsDoors(parts: RowsParts): Door[] {
  const turn = (id: string) =>
    actionDoor(id, readRowsPage, async (page, { reply }) => reply.replace(await contentOf(page, parts)));
  return doorsFor('members', [
    actionDoor(ALL_ROWS, readRowsPage, (page, gesture) =>
      inModal(gesture, ROWS_TITLE, async () => resultView(await contentOf(page, parts), ROWS_TITLE), parts),
    ),
    turn(ROWS_BACK),
    turn(ROWS_ON),
  ]);
}

async function contentOf(page: RowsPage, parts: RowsParts): Promise<MessageContent> {
  const shown = await showTrigger(page.intent, parts);
  if (shown === null) return forgottenMessage();
  return rowsMessage(page, shown, environmentNamed(shown.told.environment, parts.environments));
}
