import type { DigestRow } from '../../domain/alerting/delivery.ts';
import { type Environment, labelled } from '../../domain/environment.ts';
import type { Flow } from '../interactions/command.ts';
import { answerRoutes, pageRoutes, routesFor } from '../interactions/route.ts';
import { SHOW_INCIDENTS } from './message.ts';
import { announcedPage, type DigestPage, NEXT_PAGE, parseDigestPage, ROWS_A_PAGE, TURN_BACK } from './page-message.ts';

/** What a digest's buttons show in addition to its rows. */
interface DigestPages {
  /** Returns some of a digest's incidents as of `now`, starting with those in its rows, and their total number. */
  digestRows(
    digestId: string,
    page: { readonly offset: number; readonly limit: number },
    now: Date,
  ): Promise<{ readonly rows: readonly DigestRow[]; readonly total: number }>;
}

export interface DigestParts {
  readonly environments: readonly Environment[];
  readonly store: DigestPages;
  readonly now: () => Date;
}

/** The flow for the buttons of digests: their answers go to the person who clicked, and the pages behind them replace these. */
export function digestFlow({ store, environments, now }: DigestParts): Flow {
  const environmentOf = (name: string) => labelled(name, environments);
  const pageOf = async (page: DigestPage) => {
    const rows = await store.digestRows(page.digestId, { offset: page.offset, limit: ROWS_A_PAGE }, now());
    return announcedPage(page, rows, environmentOf);
  };
  const routes = routesFor('everyone', [
    ...answerRoutes([SHOW_INCIDENTS], parseDigestPage, pageOf),
    ...pageRoutes([TURN_BACK, NEXT_PAGE], parseDigestPage, pageOf),
  ]);
  return { commands: [], routes };
}
