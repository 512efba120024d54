import type { Home } from '../../domain/health/home.ts';
import type { Logger } from '../../domain/logger.ts';
import type { CheckedStatusParts } from './report-status.ts';
import { checkHomeBasis, type HomeBasis, type HomeParts, homeOf, readHomeBasis } from './show-home.ts';

/** A Home tab that Notif refreshes, with Slack's hash of what was published last; null if Slack gave none. */
export interface FollowedHome {
  readonly userId: string;
  readonly hash: string | null;
}

/** Keeps in the store which Home tabs to refresh: opening, clicking and refreshing may each reach another replica or process. */
export interface HomesStore {
  /** Notes that the owner opened the tab and it was published. */
  noteHomeShown(userId: string, hash: string | null, now: Date): Promise<void>;
  /** Notes that the owner clicked on it. Does nothing for a tab that isn't refreshed anymore. */
  noteHomeClicked(userId: string, now: Date): Promise<void>;
  /** Claims up to fifty tabs that are due; they aren't due again for a minute. Forgets tabs that nobody has looked at lately. */
  claimHomes(now: Date): Promise<readonly FollowedHome[]>;
  noteHomeRefreshed(userId: string, hash: string | null): Promise<void>;
  forgetHome(userId: string): Promise<void>;
}

/** The outcome of publishing a Home tab. `changed`: something else was published meanwhile. `gone`: the owner or the tab is gone. */
export type Published =
  | { readonly is: 'published'; readonly hash: string | null }
  | { readonly is: 'changed' }
  | { readonly is: 'gone'; readonly reason: string };

export interface HomePublisher {
  /** Publishes over the version with this hash, or over whatever is there if null. Rejects with Slack's error. */
  publish(userId: string, home: Home, upon: string | null): Promise<Published>;
}

export interface RefreshHomesParts extends HomeParts, Pick<CheckedStatusParts, 'checkNow'> {
  readonly store: HomeParts['store'] & HomesStore;
  readonly homePublisher: HomePublisher;
}

/** Shows a user their Home tab after checking each environment. Rejects with Slack's error. */
export async function showHome(userId: string, parts: RefreshHomesParts): Promise<void> {
  const { store, homePublisher, logger, now } = parts;
  const home = await homeOf(userId, await checkHomeBasis(parts), parts);
  const published = await homePublisher.publish(userId, home, null);
  if (published.is === 'published') await noted(() => store.noteHomeShown(userId, published.hash, now()), logger);
  else logger.warn({ ...published }, 'a Home tab that was opened could not be published');
}

/** Notes that a user still looks at their Home tab. */
export async function noteHomeClick(userId: string, parts: RefreshHomesParts): Promise<void> {
  await noted(() => parts.store.noteHomeClicked(userId, parts.now()), parts.logger);
}

/** Refreshes the Home tabs that people look at, one after the other, since Slack accepts a hundred a minute. */
export async function refreshHomes(parts: RefreshHomesParts, signal: AbortSignal): Promise<void> {
  const due = await parts.store.claimHomes(parts.now());
  if (due.length === 0) return;
  const ground = await readHomeBasis(parts);
  for (const home of due) {
    if (signal.aborted) return;
    await refreshOne(home, ground, parts);
  }
}

/** A tab that can't be published doesn't block the others; it is tried again every minute while its owner looks at it. */
async function refreshOne(followed: FollowedHome, ground: HomeBasis, parts: RefreshHomesParts): Promise<void> {
  const { userId } = followed;
  const { store, logger } = parts;
  try {
    const published = await publishUpon(followed, ground, parts);
    if (published.is === 'published') return await store.noteHomeRefreshed(userId, published.hash);
    logger.warn({ ...published }, 'a Home tab is no longer refreshed');
    await store.forgetHome(userId);
  } catch (err) {
    logger.warn({ err }, 'a Home tab could not be refreshed');
  }
}

/** What was published meanwhile may be newer than the data read here: reads the data again, and publishes over whatever is there. */
async function publishUpon(
  { userId, hash }: FollowedHome,
  ground: HomeBasis,
  parts: RefreshHomesParts,
): Promise<Published> {
  const { homePublisher } = parts;
  const published = await homePublisher.publish(userId, await homeOf(userId, ground, parts), hash);
  if (published.is !== 'changed') return published;
  return homePublisher.publish(userId, await homeOf(userId, await readHomeBasis(parts), parts), null);
}

/** Without the note the Home tab is still correct; it just isn't refreshed. */
async function noted(note: () => Promise<void>, logger: Logger): Promise<void> {
  try {
    await note();
  } catch (err) {
    logger.warn({ err }, 'a look at a Home tab could not be noted');
  }
}
