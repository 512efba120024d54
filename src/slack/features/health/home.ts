import type { Home, SeenWatches } from '../../../health/home.ts';
import { type CheckingCtx, checkAll, reportStatus } from '../../../health/status.ts';
import { openIncidents } from '../../../incidents/lists.ts';
import type { Db } from '../../../store/db.ts';
import type { Watch } from '../../../watches/settings.ts';
import { watches as allWatches } from '../../../watches/watches.ts';
import type { AccessControl } from '../../router/authorization.ts';

export interface HomeCtx extends CheckingCtx {
  readonly accessControl: Pick<AccessControl, 'canUse'>;
  readonly db: Db;
}

const HOME_INCIDENTS = 10;
const HOME_WATCHES = 15;
/** Slack answers fifty channel lookups a minute. */
const MOST_ASKED = 40;

/** It shows nothing that is private to somebody else. A database that doesn't respond is shown and logged. */
export async function homeOf(ctx: HomeCtx, userId: string): Promise<Home> {
  const { accessControl, db, environments, now } = ctx;
  const names = environments.map(({ name }) => name);
  const page = { offset: 0, limit: HOME_INCIDENTS };
  const checks = await checkAll(ctx);
  const [status, open, watches, canTrigger] = await Promise.all([
    reportStatus(ctx, checks),
    orNull(ctx, () => openIncidents(db, names, page, now())),
    orNull(ctx, () => allWatches(db)),
    accessControl.canUse(userId, 'operators'),
  ]);
  return { status, open, watches: watches && (await watchesSeenBy(ctx, userId, watches)), canTrigger };
}

/** Returns the watches of public channels and the person's own, which they know: private channels and DMs concern only their members. */
async function watchesSeenBy({ channels }: HomeCtx, userId: string, all: readonly Watch[]): Promise<SeenWatches> {
  const candidates = all.slice(0, MOST_ASKED);
  const maySee = await Promise.all(
    candidates.map(async ({ createdBy, channel }) => createdBy === userId || (await channels.isPublic(channel))),
  );
  const watches = candidates.filter((_, index) => maySee[index] === true).slice(0, HOME_WATCHES);
  return { watches, others: all.length - watches.length };
}

async function orNull<Answer>({ logger }: HomeCtx, ask: () => Promise<Answer>): Promise<Answer | null> {
  try {
    return await ask();
  } catch (err) {
    logger.error({ err }, 'database could not be asked for a Home tab');
    return null;
  }
}
