import { subMilliseconds } from 'date-fns';
import { and, eq, gt } from 'drizzle-orm';
import { dueForAnnouncing, environmentOf, noteAnnounced } from '../coverage/environments.ts';
import { settleIncidents } from '../incidents/settle.ts';
import { noteSilences } from '../incidents/silences.ts';
import { incidents } from '../incidents/tables.ts';
import type { Environment } from '../lib/environment.ts';
import { inTurn } from '../lib/in-turn.ts';
import type { ClockGuard } from '../lib/time/clock-guard.ts';
import { MINUTE_MS } from '../lib/time/durations.ts';
import { redraw } from '../outbox/messages.ts';
import type { Ctx, Db } from '../store/db.ts';
import { isAbout, notifiesFor } from '../watches/covers.ts';
import { isReadable, type Watch } from '../watches/settings.ts';
import { lockedWatch, watchesIn } from '../watches/watches.ts';
import { announceTo } from './announce-to-watch.ts';
import { announceChanges } from './changes.ts';
import { watchesToCompare } from './cursors.ts';
import { entriesAfter, type IncidentEntry } from './entries.ts';
import { tellPeople } from './people.ts';
import { subjectOf } from './subjects.ts';
import { timelineCursors } from './tables.ts';
import { writeLines } from './write-lines.ts';

export interface AnnounceCtx extends Ctx {
  horizonMs: number;
  clock: ClockGuard;
  /** A digest doesn't wait for other watches' to be written. */
  wakeOutbox: () => Promise<void>;
}

export interface AnnounceAllCtx extends AnnounceCtx {
  environments: readonly Environment[];
  polls: { isRecording: (environment: string) => boolean };
  pollMs: number;
}

/** The end of a mute or of quiet hours doesn't wait for a rare poll. */
export function announceEveryMs(pollMs: number): number {
  return Math.min(pollMs, MINUTE_MS);
}

/** Alerts wait no longer for polls that follow one another without a pause. */
const LONGEST_WAIT_MS = 10_000;

export function createAnnouncing(ctx: AnnounceAllCtx): (signal: AbortSignal) => Promise<void> {
  const { db, environments, polls, logger, now, pollMs } = ctx;
  const waitsSince = new Map<string, Date>();
  return async (signal) => {
    await inTurn(
      await dueForAnnouncing(db, subMilliseconds(now(), announceEveryMs(pollMs))),
      async (due) => {
        const { environment } = due;
        if (!environments.some(({ name }) => name === environment) || signal.aborted) return;
        const since = waitsSince.get(environment) ?? now();
        const hasWaitedLong = Math.abs(now().getTime() - since.getTime()) >= LONGEST_WAIT_MS;
        if (polls.isRecording(environment) && !hasWaitedLong) return void waitsSince.set(environment, since);
        await announce(ctx, environment);
        waitsSince.delete(environment);
        await noteAnnounced(db, due, now());
      },
      ({ environment }, err) =>
        logger.error({ environment, err }, "Alerts couldn't be written, trying again within a minute"),
    );
  };
}

/**
 * A pass over an environment: what happened is settled, then each watch compares it with what it has told, then the timeline becomes lines and direct
 * messages. Each step reads what was recorded and remembers how far it got.
 */
export async function announce(ctx: AnnounceCtx, environment: string): Promise<void> {
  const { db, logger, horizonMs } = ctx;
  const now = ctx.now();
  await noteSilences(db, environment, { now, isSure: ctx.clock.isSure() });
  await settleIncidents(db, environment, horizonMs, now);
  const version = (await environmentOf(db, environment))?.version ?? 0;
  const concerned = (await watchesIn(db)).filter(
    (watch) => isReadable(watch) && isAbout(watch.settings.filter, environment),
  );
  const compared = await watchesToCompare(db, environment, concerned, now);
  const writing = inTurn(
    inOrder(compared, concerned),
    async (watch) => {
      const messageId = await db.transaction(async (tx) => {
        const locked = await lockedWatch(tx, watch.id);
        return locked === null ? null : announceTo(tx, locked, { environment, version, others: concerned }, now);
      });
      if (messageId === null) return;
      logger.info({ environment, watchId: watch.id, messageId }, 'Digest written');
      await ctx.wakeOutbox();
    },
    ({ id: watchId }, err) =>
      logger.error({ environment, watchId, err }, "Watch couldn't be notified, trying again within a minute"),
  );
  // What happened is told also if a watch couldn't be notified.
  await writing
    .finally(() => tellTimeline(db, environment, version, now))
    .finally(() => announceChanges(db, environment, now));
}

/** Watches with a mention come first, then the widest: others of a channel may have nothing to add. */
function inOrder(compared: readonly Watch[], concerned: readonly Watch[]): readonly Watch[] {
  const mentionsNobody = ({ settings }: Watch): number => Number(settings.mention === null);
  const widerThan = (watch: Watch): number => concerned.filter((other) => notifiesFor(other, watch)).length;
  return compared
    .map((watch) => ({ watch, wider: widerThan(watch) }))
    .toSorted((a, b) => mentionsNobody(a.watch) - mentionsNobody(b.watch) || a.wider - b.wider)
    .map(({ watch }) => watch);
}

/** Being worse, but not for everyone, shows with the counts. */
const isTurn = ({ change }: IncidentEntry): boolean => change?.action !== 'worse' || change.badness === 'every';

/**
 * Turns what happened since the last pass into lines in threads and direct messages, and has what shows the changed incidents drawn again: at once if
 * something happened, else with the counts.
 */
async function tellTimeline(db: Db, environment: string, version: number, now: Date): Promise<void> {
  await db.transaction(async (tx) => {
    const isHere = eq(timelineCursors.environment, environment);
    await tx.insert(timelineCursors).values({ environment, version: 0, entryId: 0 }).onConflictDoNothing();
    const [cursor] = await tx.select().from(timelineCursors).where(isHere).for('update');
    if (cursor === undefined) return;
    const entries = await entriesAfter(tx, environment, cursor.entryId);
    const isChanged = and(eq(incidents.environment, environment), gt(incidents.version, cursor.version));
    const changed = await tx.select({ id: incidents.id }).from(incidents).where(isChanged);
    const turned = new Set(entries.filter(isTurn).map(({ incidentId }) => incidentId));
    const counted = changed.map(({ id }) => id).filter((id) => !turned.has(id));
    await redraw(tx, [...turned].map(subjectOf), { at: now, isUrgent: true });
    await redraw(tx, counted.map(subjectOf), { at: now, isUrgent: false });
    await writeLines(tx, entries, now);
    await tellPeople(tx, entries, now);
    if (entries.length === 0 && version <= cursor.version) return;
    const entryId = Math.max(cursor.entryId, ...entries.map(({ id }) => id));
    await tx
      .update(timelineCursors)
      .set({ version: Math.max(cursor.version, version), entryId })
      .where(isHere);
  });
}
