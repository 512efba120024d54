import { sql } from 'drizzle-orm';
import { index, integer, pgTable, text } from 'drizzle-orm/pg-core';
import { z } from 'zod';
import {
  json,
  knownText,
  knownTime,
  NEW_ID,
  referenceById,
  referenceByNumber,
  stamp,
  type Table,
} from '../store/columns.ts';
import { StoredSettings, UNREADABLE, type WatchSettings } from './settings.ts';

/** The newest change that was seen of each environment. */
export const ChangesTo = z.record(z.string(), z.number());

/** What a channel wants to be alerted to. */
export interface WatchRow {
  id: string;
  channel: string;
  /** In its channel. */
  number: number;
  createdAt: Date;
  /** Null: it is the watch of NOTIF_DIGEST_CHANNEL. */
  createdBy: string | null;
  settings: WatchSettings;
  /** When its settings were changed last. */
  editedAt: Date | null;
  endedAt: Date | null;
  /** The end of its last summary. */
  summedTo: Date | null;
  /** Since when Slack refuses its messages; null: it takes them. */
  refusedAt: Date | null;
  /** The newest change that was seen of each environment, and under '' of all others; null: it tells no changes. */
  changesTo: Record<string, number> | null;
}

export const watches: Table<'watches', WatchRow, 'id'> = pgTable(
  'watches',
  {
    id: text().primaryKey().default(NEW_ID),
    channel: knownText(),
    number: integer().notNull(),
    createdAt: knownTime(),
    createdBy: text(),
    settings: json<WatchSettings, WatchSettings>(StoredSettings, () => UNREADABLE).notNull(),
    editedAt: stamp(),
    endedAt: stamp(),
    summedTo: stamp(),
    refusedAt: stamp(),
    changesTo: json(ChangesTo, () => null).$type<Record<string, number>>(),
  },
  (t) => [index('watches_in_channel').on(t.channel).where(sql`ended_at IS NULL`)],
);

/** A time in which a watch posts nothing, or nothing of one incident, provider or workflow. */
export interface MuteRow {
  id: string;
  watchId: string;
  incidentId: number | null;
  provider: string | null;
  /** The workflow's identifier or name, as it was typed. */
  workflow: string | null;
  /** The outbreak that was muted: the next one isn't. */
  outbreak: number | null;
  mutedBy: string;
  beginsAt: Date;
  until: Date;
  /** When it was set; null: by an older version, at its beginning. */
  madeAt: Date | null;
}

export const mutes: Table<'mutes', MuteRow, 'id'> = pgTable(
  'mutes',
  {
    id: text().primaryKey().default(NEW_ID),
    watchId: referenceById('watches').notNull(),
    incidentId: referenceByNumber('incidents'),
    provider: text(),
    workflow: text(),
    outbreak: integer(),
    mutedBy: knownText(),
    beginsAt: knownTime(),
    until: knownTime(),
    madeAt: stamp(),
  },
  (t) => [index('mutes_of_watch').on(t.watchId, t.until)],
);
