import { environmentNamed } from '../../domain/environment.ts';
import { type ShowTriggerParts, showTrigger } from '../../use-cases/triggers/show-trigger.ts';
import type { MessageContent } from '../blocks/blocks.ts';
import { resultView } from '../blocks/view.ts';
import { inModal } from '../interactions/in-modal.ts';
import type { ErrorParts } from '../interactions/on-error.ts';
import { actionRoute, pageRoutes, type Route, routesFor } from '../interactions/route.ts';
import { ALL_ROWS } from './message.ts';
import {
  expiredMessage,
  NEXT_ROWS,
  parseRowsPage,
  ROWS_BACK,
  ROWS_TITLE,
  type RowsPage,
  rowsMessage,
} from './rows-message.ts';

export interface RowsParts extends ErrorParts, ShowTriggerParts {}

/** The routes for [All rows] of a trigger, and its pages. */
export function rowsRoutes(parts: RowsParts): Route[] {
  return routesFor('members', [
    actionRoute(ALL_ROWS, parseRowsPage, (page, interaction) =>
      inModal(interaction, ROWS_TITLE, async () => resultView(await contentOf(page, parts), ROWS_TITLE), parts),
    ),
    ...pageRoutes([ROWS_BACK, NEXT_ROWS], parseRowsPage, (page) => contentOf(page, parts)),
  ]);
}

async function contentOf(page: RowsPage, parts: RowsParts): Promise<MessageContent> {
  const shown = await showTrigger(page.intent, parts);
  if (shown === null) return expiredMessage();
  return rowsMessage(page, shown, environmentNamed(shown.run.environment, parts.environments));
}
