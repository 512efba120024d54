import { type Environment, labelled } from '../../domain/environment.ts';
import type { MessageContent } from '../blocks/blocks.ts';
import type { Flow } from '../interactions/flow.ts';
import { actionRoute, type Route, routesFor } from '../interactions/route.ts';
import { SHOW_GROUPS } from './message.ts';
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
  return routesFor('everyone', [
    actionRoute(SHOW_GROUPS, parseDigestPage, async (page, { reply }) => reply.show(await messageOf(page, parts))),
    actionRoute(TURN_BACK, parseDigestPage, async (page, { reply }) => reply.replace(await messageOf(page, parts))),
    actionRoute(NEXT_PAGE, parseDigestPage, async (page, { reply }) => reply.replace(await messageOf(page, parts))),
  ]);
}

async function messageOf(page: DigestPage, { store, environments, now }: DigestParts): Promise<MessageContent> {
  const environmentOf = (name: string) => labelled(name, environments);
  const { digestId, offset } = page;
  return announcedPage(page, await store.digestRows(digestId, { offset, limit: ROWS_A_PAGE }, now()), environmentOf);
}
