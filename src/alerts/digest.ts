import { addMilliseconds, isEqual, subDays } from 'date-fns';
import { eq } from 'drizzle-orm';
import { type MatchedRange, matchedIn } from '../incidents/matched.ts';
import { newestEntries } from '../incidents/timeline.ts';
import { groupBy } from '../lib/group-by.ts';
import type { Draft, MessageKind } from '../outbox/kinds.ts';
import { saidBy } from '../outbox/messages.ts';
import type { MessageRow } from '../outbox/tables.ts';
import type { Db } from '../store/db.ts';
import type { MentionCtx } from '../watches/mentioned.ts';
import { MUTES_FOR_DAYS, mutesEndingAfter, type WatchMute, watchHold } from '../watches/mutes.ts';
import type { Watch } from '../watches/settings.ts';
import { watchWithId } from '../watches/watches.ts';
import { adoptDigest, DigestKept } from './adopt.ts';
import { type Covered, comparedIn, coveredBy, viewOf } from './candidates.ts';
import type { DigestContent, Mentioned } from './content.ts';
import { cursorOf } from './cursors.ts';
import { decide, type PostReason, ToldState } from './decide.ts';
import { digestDraft } from './digest-draft.ts';
import { type DigestSays, digestSays } from './digest-says.ts';
import { noteShown, noteTold } from './digest-told.ts';
import { heldBack } from './holds.ts';
import { mentionsOf } from './mentions.ts';
import { watchAlerts } from './tables.ts';
import { forWatch, shutOutOfChannel } from './watch-end.ts';

/** A watch's message about incidents: what it says is decided when it is posted, and drawn again while it is the newest about them. */
export const createDigestKind = (ctx: MentionCtx): MessageKind<DigestContent> => ({
  Kept: DigestKept,
  mustArrive: true,
  async draw(db, message, at) {
    return forWatch(db, message.owner, async (watch) => {
      if (message.state === 'posted') return drawAgain(db, message, watch, at);
      if (message.channel !== watch.channel) return { is: 'moved', channel: watch.channel };
      return drawFirst({ ...ctx, db }, message, watch, at);
    });
  },
  /** What was posted isn't owed any more. */
  async told(tx, message, { said, at, isPost }) {
    const watch = await watchWithId(tx, message.owner ?? '');
    if (watch === null) return;
    const noted = { said, at };
    if (isPost) await noteTold(tx, watch, message, noted);
    else await noteShown(tx, watch, message, noted);
  },
  async deleted(tx, message) {
    const gone = { isMessageGone: true, dueAt: message.postedAt };
    await tx.update(watchAlerts).set(gone).where(eq(watchAlerts.messageId, message.id));
  },
  adopt: adoptDigest,
  shutOut: shutOutOfChannel,
});

async function drawFirst(
  ctx: MentionCtx & { db: Db },
  message: MessageRow,
  watch: Watch,
  at: Date,
): Promise<Draft<DigestContent>> {
  const { db } = ctx;
  const mutes = await mutesEndingAfter(db, watch.id, subDays(at, MUTES_FOR_DAYS));
  const hold = watchHold(watch, mutes, at);
  if (hold !== null) return heldBack(hold.until, at);
  const says = await saysOfNow(ctx, { watch, environment: message.environment, mutes, at });
  if (says.size === 0) return { is: 'untrue', why: 'nothing of it is to be told any more' };
  return digestDraft(db, message, { watch, says, mutes, at });
}

async function drawAgain(db: Db, message: MessageRow, watch: Watch, at: Date): Promise<Draft<DigestContent>> {
  const says = digestSays(await saidBy(db, message.id));
  const mutes = await mutesEndingAfter(db, watch.id, at);
  return digestDraft(db, message, { watch, says, mutes, at });
}

interface Telling {
  watch: Watch;
  environment: string;
  /** The watch's mutes, also those that have ended: they say why something was held back. */
  mutes: readonly WatchMute[];
  at: Date;
}

/** What a watch has to post of incidents by now, also what its pace would hold back alone. */
async function saysOfNow(ctx: MentionCtx & { db: Db }, telling: Telling): Promise<ReadonlyMap<number, DigestSays>> {
  const { db } = ctx;
  const { watch, environment, mutes, at } = telling;
  const version = (await cursorOf(db, watch.id, environment))?.version ?? 0;
  const view = viewOf(watch, environment, mutes, at);
  const covered = await coveredBy(db, view, await comparedIn(db, view, version));
  const posts = covered.flatMap((row): Post[] => {
    const decision = decide(row.candidate, at);
    return decision.is === 'post' ? [{ ...row, reason: decision.reason, rings: decision.rings }] : [];
  });
  const ids = posts.map(({ incident }) => incident.id);
  const entries = await newestEntries(db, ids);
  const mentionOf = await mentionsOf(ctx, watch, ids, at);
  const missed = await missedIn(db, telling, posts);
  const beginnings = await beginningsTold(db, posts);
  return new Map(
    posts.map((post): [number, DigestSays] => {
      const { incident, outbreak, candidate, badness, reason, rings } = post;
      const broken = brokenMute(post, mutes);
      const says: DigestSays = {
        reason,
        outbreak: outbreak.number,
        ...ToldState.parse(candidate),
        shownBadness: badness,
        began: beginnings.get(incident.id) ?? null,
        filter: watch.settings.filter,
        entryId: entries.get(incident.id) ?? 0,
        rings,
        ...mentionSaid(rings ? mentionOf(incident.id) : null),
        missed: missed.get(incident.id) ?? null,
        broke: broken && { actor: broken.mutedBy, until: broken.until },
      };
      return [incident.id, says];
    }),
  );
}

interface Post extends Covered {
  reason: PostReason;
  rings: boolean;
}

/** When each outbreak that is posted again began, as the message before said. */
async function beginningsTold(db: Db, posts: readonly Post[]): Promise<ReadonlyMap<number, Date>> {
  const again = posts.filter(({ alert, outbreak }) => alert?.outbreak === outbreak.number);
  const told = new Map<number, Date>();
  for (const [messageId, here] of groupBy(again, ({ alert }) => alert?.messageId ?? '')) {
    const says = digestSays(await saidBy(db, messageId));
    for (const { incident } of here) {
      const began = says.get(incident.id)?.began ?? null;
      if (began !== null) told.set(incident.id, began);
    }
  }
  return told;
}

/** The mute of the incident that what is posted breaks. */
function brokenMute({ incident, candidate }: Post, mutes: readonly WatchMute[]): WatchMute | null {
  const since = candidate.hold?.incidentMutedSince ?? null;
  if (since === null) return null;
  return mutes.find(({ incidentId, beginsAt }) => incidentId === incident.id && isEqual(beginsAt, since)) ?? null;
}

/** How many failures each incident has that a mute or quiet hours held back. */
async function missedIn(
  db: Db,
  { watch, environment, mutes }: Telling,
  posts: readonly Post[],
): Promise<ReadonlyMap<number, number>> {
  const ranges = posts.flatMap((post): MatchedRange[] => {
    const since = heldSince(post, mutes);
    if (since === null) return [];
    const { incident, outbreak, alert } = post;
    const range = { id: incident.id, from: outbreak.coversFrom, to: outbreak.coversTo };
    // Of an outbreak that wasn't told before, all was missed.
    const isTold = alert?.outbreak === outbreak.number;
    return [isTold ? { ...range, recordedSince: addMilliseconds(since, 1) } : range];
  });
  const matched = await matchedIn(db, environment, ranges, watch.settings.filter);
  return new Map([...matched].map(([id, { total }]) => [id, total.failures]));
}

/** Since when what is told was held back. Null: it wasn't. */
function heldSince(post: Post, mutes: readonly WatchMute[]): Date | null {
  const broken = brokenMute(post, mutes);
  if (broken !== null) return broken.beginsAt;
  const { alert, reason, incident } = post;
  const owedSince = alert?.owedSince ?? null;
  const wasHeld = reason === 'missed' || alert?.heldBy === 'mute';
  if (owedSince === null || !wasHeld) return null;
  const mute = mutes.find(
    ({ incidentId, beginsAt, until }) =>
      (incidentId === null || incidentId === incident.id) && beginsAt <= owedSince && until >= owedSince,
  );
  // A mute holds back from its beginning on, not only from the first failure that it kept.
  return mute?.beginsAt ?? owedSince;
}

const mentionSaid = (whom: Mentioned | null): Pick<DigestSays, 'mentions' | 'mentionsOnly'> => ({
  mentions: whom !== null,
  mentionsOnly: whom?.kind === 'people' ? [...whom.ids] : null,
});
