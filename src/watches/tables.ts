import { sql } from 'drizzle-orm';
import { index, integer, pgTable, text } from 'drizzle-orm/pg-core';
import { fromZero, idIn, json, knownText, knownTime, NEW_ID, numberIn, parsed, stamp } from '../store/columns.ts';
import { settingsOf } from './settings.ts';

export const watches = pgTable(
  'watches',
  {
    id: text().primaryKey().default(NEW_ID),
    channel: knownText(),
    number: integer().notNull(),
    createdAt: knownTime(),
    createdBy: text(), // null: NOTIF_DIGEST_CHANNEL
    settings: parsed(settingsOf)().notNull(),
    notifiesFrom: stamp('tells_from').notNull(),
    notifiesAfter: fromZero('tells_after'), // the newest failure's `seq` at `notifiesFrom`
    held: json().$type<readonly number[]>().notNull().default([]), // earlier incidents that are still pending
    endedAt: stamp(),
    summedTo: stamp(), // the end of its last summary
    refusedAt: stamp(), // since Slack refuses its messages
    changesTo: json().$type<Record<string, number>>(), // by environment: the newest change seen
  },
  (t) => [index('watches_in_channel').on(t.channel).where(sql`ended_at IS NULL`)],
);

export const mutes = pgTable(
  'mutes',
  {
    id: text().primaryKey().default(NEW_ID),
    watchId: idIn('watches').notNull(),
    incidentId: numberIn('incidents'),
    actor: text('muted_by').notNull(),
    from: stamp('muted_at').notNull(),
    until: knownTime(),
  },
  (t) => [index('mutes_of_watch').on(t.watchId, t.until)],
);
