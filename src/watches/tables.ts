import { sql } from 'drizzle-orm';
import { index, integer, pgTable, text } from 'drizzle-orm/pg-core';
import { z } from 'zod';
import { fromZero, idIn, json, knownText, knownTime, NEW_ID, numberIn, stamp } from '../store/columns.ts';
import { StoredSettings, UNREADABLE, type WatchSettings } from './settings.ts';

export const Held = z.array(z.number()).readonly();
/** By environment: the newest change seen. */
export const ChangesTo = z.record(z.string(), z.number());

export const watches = pgTable(
  'watches',
  {
    id: text().primaryKey().default(NEW_ID),
    channel: knownText(),
    number: integer().notNull(),
    createdAt: knownTime(),
    createdBy: text(), // null: NOTIF_DIGEST_CHANNEL
    settings: json<WatchSettings, WatchSettings>(StoredSettings, () => UNREADABLE).notNull(),
    notifiesFrom: stamp('tells_from').notNull(),
    notifiesAfter: fromZero('tells_after'), // the newest failure's `seq` at `notifiesFrom`
    held: json(Held, (): readonly number[] => [])
      .notNull()
      .default([]), // earlier incidents that are still pending
    endedAt: stamp(),
    summedTo: stamp(), // the end of its last summary
    refusedAt: stamp(), // since Slack refuses its messages
    changesTo: json(ChangesTo, () => null),
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
