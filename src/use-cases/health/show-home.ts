import type { Access, Permission } from '../../domain/access/membership.ts';
import type { Home, OpenGroups, SeenWatches } from '../../domain/health/home.ts';
import type { Watch } from '../../domain/watches/watch.ts';
import {
  type CheckedStatusParts,
  checkAll,
  reportStatus,
  type StatusParts,
  type StatusStore,
} from './report-status.ts';

export interface OpenGroupsStore {
  /** A part of what is open in some environments, what fails first, then the critical and the largest. */
  openGroups(
    environments: readonly string[],
    page: { readonly offset: number; readonly limit: number },
    now: Date,
  ): Promise<OpenGroups>;
}

/** Answers what somebody can use, for what is only shown. Never rejects. */
export interface Permissions {
  canUse(userId: string, access: Access): Promise<Permission>;
}

export interface HomeParts extends StatusParts {
  readonly accessControl: Permissions;
  readonly store: StatusStore & OpenGroupsStore & { watches(): Promise<readonly Watch[]> };
}

/** How many open groups a Home tab shows; the others are behind its button. */
const HOME_GROUPS = 10;
const HOME_WATCHES = 15;
/** Slack tells of fifty channels a minute. */
const MOST_ASKED = 40;

/** What the Home tabs of several people have in common, read once for all of them. */
export interface HomeBasis extends Omit<Home, 'watches' | 'canTrigger'> {
  readonly watches: readonly Watch[] | null;
}

/** As `readHomeBasis`, after a check of each environment. */
export async function checkHomeBasis(parts: HomeParts & CheckedStatusParts): Promise<HomeBasis> {
  const checks = await checkAll(parts);
  return readHomeBasis(parts, checks);
}

/**
 * What Home tabs show; `checks`: what the checks of the environments came to, where they were asked for. A database that does not answer
 * is part of it, and of the log.
 */
export async function readHomeBasis(parts: HomeParts, checks?: Parameters<typeof reportStatus>[1]): Promise<HomeBasis> {
  const { store, environments, now } = parts;
  const names = environments.map(({ name }) => name);
  const page = { offset: 0, limit: HOME_GROUPS };
  const [status, open, watches] = await Promise.all([
    reportStatus(parts, checks),
    orNull(() => store.openGroups(names, page, now()), parts),
    orNull(() => store.watches(), parts),
  ]);
  return { status, open, watches };
}

/** A person's own Home tab. Nothing on it is private to somebody else. */
export async function homeOf(userId: string, { status, open, watches }: HomeBasis, parts: HomeParts): Promise<Home> {
  const [canTrigger, seen] = await Promise.all([
    parts.accessControl.canUse(userId, 'operators'),
    watches === null ? null : watchesSeenBy(userId, watches, parts),
  ]);
  return { status, open, watches: seen, canTrigger };
}

/** Private channels and direct messages are nobody's business but of those in them; the person who made a watch knows of it. */
async function watchesSeenBy(userId: string, all: readonly Watch[], { channels }: HomeParts): Promise<SeenWatches> {
  const asked = all.slice(0, MOST_ASKED);
  const maySee = await Promise.all(
    asked.map(async ({ createdBy, channel }) => createdBy === userId || (await channels.isPublic(channel))),
  );
  const watches = asked.filter((_, index) => maySee[index] === true).slice(0, HOME_WATCHES);
  return { watches, others: all.length - watches.length };
}

async function orNull<Answer>(ask: () => Promise<Answer>, { logger }: HomeParts): Promise<Answer | null> {
  try {
    return await ask();
  } catch (err) {
    logger.error({ err }, 'database could not be asked for a Home tab');
    return null;
  }
}
