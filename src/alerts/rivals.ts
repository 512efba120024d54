import { and, inArray, isNotNull, isNull } from 'drizzle-orm';
import { groupBy } from '../lib/group-by.ts';
import type { Db } from '../store/db.ts';
import { notifiesFor, ringsFor } from '../watches/covers.ts';
import { isHeld, runningMutes } from '../watches/mutes.ts';
import type { Watch } from '../watches/settings.ts';
import type { Covered, View } from './candidates.ts';
import { watchAlerts } from './tables.ts';

/** Watches with a mention come first, then the widest: others of a channel may have nothing to add. */
export function inOrder(compared: readonly Watch[], concerned: readonly Watch[]): readonly Watch[] {
  const mentionsNobody = ({ settings }: Watch): number => Number(settings.mention === null);
  const widerThan = (watch: Watch): number => concerned.filter((other) => notifiesFor(other, watch)).length;
  return compared
    .map((watch) => ({ watch, wider: widerThan(watch) }))
    .toSorted((a, b) => mentionsNobody(a.watch) - mentionsNobody(b.watch) || a.wider - b.wider)
    .map(({ watch }) => watch);
}

/** Incidents that another watch, which notifies the channel of all that this one does, is about to tell. */
export async function toldByOthers(
  tx: Db,
  { watch, now }: View,
  others: readonly Watch[],
  covered: readonly Covered[],
): Promise<ReadonlySet<number>> {
  const rivals = others.filter((other) => other.id !== watch.id && ringsFor(other, watch) && isBefore(other, watch));
  if (rivals.length === 0 || covered.length === 0) return new Set();
  const mutes = groupBy(await runningMutes(tx, now), ({ watchId }) => watchId);
  const telling = new Map(
    rivals.filter((other) => !isHeld(other, mutes.get(other.id) ?? [], now)).map((other) => [other.id, other]),
  );
  const kinds = new Map(covered.map(({ incident }) => [incident.id, incident.kind]));
  const isOwed = and(
    inArray(watchAlerts.watchId, [...telling.keys()]),
    inArray(watchAlerts.incidentId, [...kinds.keys()]),
    isNotNull(watchAlerts.owedSince),
    isNull(watchAlerts.heldBy),
  );
  const owed = await tx.select().from(watchAlerts).where(isOwed);
  return new Set(
    owed.flatMap(({ watchId, incidentId }) => {
      const other = telling.get(watchId);
      const tells = other !== undefined && (kinds.get(incidentId) !== 'failures' || notifiesFor(other, watch));
      return tells ? [incidentId] : [];
    }),
  );
}

/** Of two watches that ring for each other, the first tells: with a mention, then the wider, then the older. */
function isBefore(other: Watch, watch: Watch): boolean {
  const mentions = ({ settings }: Watch) => Number(settings.mention !== null);
  if (mentions(other) !== mentions(watch)) return mentions(other) > mentions(watch);
  if (notifiesFor(other, watch) !== notifiesFor(watch, other)) return notifiesFor(other, watch);
  return (
    other.createdAt < watch.createdAt ||
    (other.createdAt.getTime() === watch.createdAt.getTime() && other.id < watch.id)
  );
}
