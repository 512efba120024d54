import type { Home } from '../../domain/health/home.ts';
import type { Logger } from '../../domain/logger.ts';
import type { CheckedStatusParts } from './report-status.ts';
import { checkHomeBasis, type HomeBasis, type HomeParts, homeOf, readHomeBasis } from './show-home.ts';

/** A Home tab that is kept up to date, with Slack's hash of what was published last; null where it gave none. */
export interface FollowedHome {
  readonly userId: string;
  readonly hash: string | null;
}

/**
 * Which Home tabs are kept up to date is in the store: an opening, a click and a refresh may each come to another replica, and a
 * restart does not end it.
 */
export interface HomesStore {
  /** Its owner has asked for it, and it was published. */
  noteHomeShown(userId: string, hash: string | null, now: Date): Promise<void>;
  /** Its owner has clicked on it. Does nothing for one that is no longer kept up to date. */
  noteHomeClicked(userId: string, now: Date): Promise<void>;
  /** Those that are due to be published again, at most fifty; they are not due again for a minute. Forgets those that nobody has looked at lately. */
  claimHomes(now: Date): Promise<readonly FollowedHome[]>;
  noteHomeRefreshed(userId: string, hash: string | null): Promise<void>;
  forgetHome(userId: string): Promise<void>;
}

/** The outcome of publishing a Home tab. `changed`: something else was published meanwhile. `gone`: its owner is, or the tab. */
export type Published =
  | { readonly is: 'published'; readonly hash: string | null }
  | { readonly is: 'changed' }
  | { readonly is: 'gone'; readonly reason: string };

export interface HomePublisher {
  /** Publishes upon what has this hash, or upon whatever there is. Rejects with Slack's error. */
  publish(userId: string, home: Home, upon: string | null): Promise<Published>;
}

export interface RefreshHomesParts extends HomeParts, Pick<CheckedStatusParts, 'checkNow'> {
  readonly store: HomeParts['store'] & HomesStore;
  readonly homePublisher: HomePublisher;
}

/** Shows somebody their Home tab after a check of each environment. Rejects with Slack's error. */
export async function showHome(userId: string, parts: RefreshHomesParts): Promise<void> {
  const { store, homePublisher, logger, now } = parts;
  const home = await homeOf(userId, await checkHomeBasis(parts), parts);
  const published = await homePublisher.publish(userId, home, null);
  if (published.is === 'published') await noted(() => store.noteHomeShown(userId, published.hash, now()), logger);
  else logger.warn({ ...published }, 'a Home tab that was opened could not be published');
}

/** Notes that somebody goes on looking at their Home tab. */
export async function noteHomeClick(userId: string, parts: RefreshHomesParts): Promise<void> {
  await noted(() => parts.store.noteHomeClicked(userId, parts.now()), parts.logger);
}

/** Publishes again the Home tabs that people look at, one after the other: Slack takes a hundred a minute. */
export async function refreshHomes(parts: RefreshHomesParts, signal: AbortSignal): Promise<void> {
  const due = await parts.store.claimHomes(parts.now());
  if (due.length === 0) return;
  const ground = await readHomeBasis(parts);
  for (const home of due) {
    if (signal.aborted) return;
    await refreshOne(home, ground, parts);
  }
}

/** One that can't be published holds up no other: it is tried again in a minute, for as long as its owner looks. */
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

/** What was published meanwhile may be newer than what was read before: it is read again, and published upon that. */
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

/** Without the note a Home tab is right, and not refreshed by itself. */
async function noted(note: () => Promise<void>, logger: Logger): Promise<void> {
  try {
    await note();
  } catch (err) {
    logger.warn({ err }, 'a look at a Home tab could not be noted');
  }
}
