import { toldOf } from '../../../digests/content.ts';
import { labelled } from '../../../lib/environment.ts';
import type { SlackCtx } from '../../ctx.ts';
import type { Flow } from '../../router/command.ts';
import { answerRoutes, pageRoutes, routesFor } from '../../router/route.ts';
import { digestPage, NEXT_PAGE, TURN_BACK } from './page.ts';
import { type DigestPage, parseDigestPage, SHOW_INCIDENTS } from './page-value.ts';

export function digestFlow({ db, environments, now }: SlackCtx): Flow {
  const pageOf = async (page: DigestPage) =>
    digestPage(page, await toldOf(db, page.digestId, null, now(), null), (name) => labelled(name, environments));
  const routes = routesFor('everyone', [
    ...answerRoutes([SHOW_INCIDENTS], parseDigestPage, pageOf),
    ...pageRoutes([TURN_BACK, NEXT_PAGE], parseDigestPage, pageOf),
  ]);
  return { commands: [], routes };
}
