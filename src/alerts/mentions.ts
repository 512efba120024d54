import { subMilliseconds } from 'date-fns';
import { and, gt, inArray } from 'drizzle-orm';
import { MINUTE_MS } from '../lib/time/durations.ts';
import { knownPeople } from '../people/identity.ts';
import type { Db } from '../store/db.ts';
import { type MentionCtx, peopleMentioned } from '../watches/mentioned.ts';
import type { Mention, Watch } from '../watches/settings.ts';
import { watchesIn } from '../watches/watches.ts';
import type { Mentioned } from './content.ts';
import { watchAlerts } from './tables.ts';

/** Who was pinged in another channel isn't pinged again within this time. */
const TWICE_MS = MINUTE_MS;
/** Where more are left of a user group, it is mentioned as a whole. */
const MOST_LEFT = 20;

/** Returns whom a post mentions for each incident: nobody is pinged in two channels for one thing within a minute. */
export async function mentionsOf(
  ctx: MentionCtx & { db: Db },
  watch: Watch,
  incidentIds: readonly number[],
  at: Date,
): Promise<(incidentId: number) => Mentioned | null> {
  const { db } = ctx;
  const { mention } = watch.settings;
  const rung = mention === null ? [] : await rungElsewhere(db, watch, incidentIds, at);
  if (mention === null || rung.length === 0) return () => mention;
  const personOf = await knownPeople(db);
  const mentions = new Map([mention, ...rung.map((row) => row.mention)].map((each) => [each.id, each]));
  const people = new Map<string, readonly string[]>();
  for (const each of mentions.values()) people.set(each.id, await peopleOf(ctx, each));
  const toRing = people.get(mention.id) ?? [];
  return (incidentId) => {
    const elsewhere = rung.filter((row) => row.incidentId === incidentId);
    const pinged = new Set(elsewhere.flatMap((row) => people.get(row.mention.id) ?? []).map(personOf));
    const left = toRing.filter((id) => !pinged.has(personOf(id)));
    if (left.length === 0) return null;
    const isWhole = left.length === toRing.length || left.length > MOST_LEFT;
    return isWhole ? mention : { kind: 'people', ids: left };
  };
}

/** A mention that a watch of another channel has rung. */
interface Rung {
  incidentId: number;
  mention: Mention;
}

/** What watches of other channels have rung lately. */
async function rungElsewhere(db: Db, watch: Watch, incidentIds: readonly number[], at: Date): Promise<readonly Rung[]> {
  const others = (await watchesIn(db)).filter(({ channel }) => channel !== watch.channel);
  const isRung = and(
    inArray(
      watchAlerts.watchId,
      others.map(({ id }) => id),
    ),
    inArray(watchAlerts.incidentId, [...incidentIds]),
    gt(watchAlerts.rangAt, subMilliseconds(at, TWICE_MS)),
  );
  const alerts = others.length === 0 ? [] : await db.select().from(watchAlerts).where(isRung);
  return alerts.flatMap(({ watchId, incidentId }) => {
    const mention = others.find(({ id }) => id === watchId)?.settings.mention ?? null;
    return mention === null ? [] : [{ incidentId, mention }];
  });
}

/** Of a user group that Slack doesn't describe, only the group itself is known. */
async function peopleOf(ctx: MentionCtx, mention: Mention): Promise<readonly string[]> {
  const people = await peopleMentioned(ctx, mention);
  return people === null || people.length === 0 ? [mention.id] : people;
}
