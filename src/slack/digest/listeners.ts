import { type Environment, labelled } from '../../domain/environment.ts';
import type { MessageContent } from '../blocks/blocks.ts';
import type { Flow } from '../interactions/command.ts';
import { answerRoutes, pageRoutes, type Route, routesFor } from '../interactions/route.ts';
import { SHOW_INCIDENTS } from './message.ts';
import { announcedPage, type DigestPage, NEXT_PAGE, parseDigestPage, ROWS_A_PAGE, TURN_BACK } from './page-message.ts';
import type { DigestPages } from './pages.ts';

export interface DigestParts {
  readonly environments: readonly Environment[];
  readonly store: DigestPages;
  readonly now: () => Date;
}

/** The flow for the buttons of digests. */
export function digestFlow(parts: DigestParts): Flow {
  return { commands: [], routes: digestRoutes(parts) };
}

/** The routes for a digest's buttons, whose answers go to the person who clicked, and for the pages behind them. */
function digestRoutes(parts: DigestParts): Route[] {
  const pageOf = (page: DigestPage) => messageOf(page, parts);
  return routesFor('everyone', [
    ...answerRoutes([SHOW_INCIDENTS], parseDigestPage, pageOf),
    ...pageRoutes([TURN_BACK, NEXT_PAGE], parseDigestPage, pageOf),
  ]);
}

async function messageOf(page: DigestPage, { store, environments, now }: DigestParts): Promise<MessageContent> {
  const environmentOf = (name: string) => labelled(name, environments);
  const { digestId, offset } = page;
  return announcedPage(page, await store.digestRows(digestId, { offset, limit: ROWS_A_PAGE }, now()), environmentOf);
}
