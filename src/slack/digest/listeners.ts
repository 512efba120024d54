import type { DigestRow } from '../../domain/alerting/delivery.ts';
import { type Environment, labelled } from '../../domain/environment.ts';
import type { Flow } from '../interactions/command.ts';
import { answerRoutes, pageRoutes, routesFor } from '../interactions/route.ts';
import { SHOW_INCIDENTS } from './message.ts';
import { announcedPage, type DigestPage, NEXT_PAGE, parseDigestPage, ROWS_A_PAGE, TURN_BACK } from './page-message.ts';

interface DigestPages {
  /** As of `now`, starting with the incidents in the digest's rows. */
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
