import { sql } from 'drizzle-orm';
import { boolean, index, integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import type { Badness } from '../incidents/badness.ts';
import {
  fromZero,
  int8,
  json,
  knownText,
  referenceById,
  referenceByNumber,
  stamp,
  type Table,
} from '../store/columns.ts';
import { StoredSettings, UNREADABLE, type WatchSettings } from '../watches/settings.ts';
import type { ToldState } from './decide.ts';

/**
 * What a watch has told of an incident, and what it owes. What was told changes only with the outcome of a message; `owedSince`, `heldBy` and `dueAt`
 * are what a pass over it found, and are cleared by that outcome.
 */
export interface AlertRow extends ToldState {
  watchId: string;
  incidentId: number;
  environment: string;
  /** The outbreak that was told; 0: none. */
  outbreak: number;
  /** The failures that a line said since, of what got ten times worse. */
  failuresInLine: number;
  lineAt: Date | null;
  /** It was told in the line of single failures only. */
  isSingle: boolean;
  /** The newest entry of the timeline that the last post showed. */
  entryId: number;
  /** The message that shows how it is now; null: it counts as told without one. */
  messageId: string | null;
  isMessageGone: boolean;
  postedAt: Date | null;
  /** When a post about it last mentioned somebody, or could have: a watch without a mention rings, too. */
  rangAt: Date | null;
  escalatedAt: Date | null;
  /** Since when what was shown is less than many: then it can ring for every again. */
  belowManySince: Date | null;
  owedSince: Date | null;
  heldBy: 'quiet-hours' | 'mute' | null;
  dueAt: Date | null;
}

type Defaults = 'outbreak' | 'critical' | 'failures' | 'failuresInLine' | 'isSingle' | 'entryId' | 'isMessageGone';

export const watchAlerts: Table<'watch_alerts', AlertRow, Defaults> = pgTable(
  'watch_alerts',
  {
    watchId: referenceById('watches').notNull(),
    incidentId: referenceByNumber('incidents').notNull(),
    environment: knownText(),
    outbreak: integer().notNull().default(0),
    badness: text().$type<Badness>(),
    critical: boolean().notNull().default(false),
    failures: fromZero(),
    failuresInLine: fromZero(),
    lineAt: stamp(),
    isSingle: boolean().notNull().default(false),
    entryId: fromZero(),
    messageId: text(),
    isMessageGone: boolean().notNull().default(false),
    postedAt: stamp(),
    rangAt: stamp(),
    escalatedAt: stamp(),
    belowManySince: stamp(),
    owedSince: stamp(),
    heldBy: text().$type<'quiet-hours' | 'mute'>(),
    dueAt: stamp(),
  },
  (t) => [
    primaryKey({ columns: [t.watchId, t.incidentId] }),
    index('watch_alerts_of_incident').on(t.incidentId),
    index('watch_alerts_of_message').on(t.messageId),
    index('watch_alerts_due').on(t.watchId, t.environment).where(sql`owed_since IS NOT NULL OR due_at IS NOT NULL`),
  ],
);

/** How far a watch has compared an environment's incidents with what it has told of them. */
export interface AlertCursorRow {
  watchId: string;
  environment: string;
  version: number;
  /** The settings and channel that were last used: after an edit, what they owed is noted first. */
  settings: WatchSettings;
  channel: string;
  lastPostedAt: Date | null;
  /** The last post that wasn't of single failures alone. */
  lastNotifiedAt: Date | null;
}

export const alertCursors: Table<'alert_cursors', AlertCursorRow> = pgTable(
  'alert_cursors',
  {
    watchId: referenceById('watches').notNull(),
    environment: knownText(),
    version: int8().notNull(),
    settings: json<WatchSettings, WatchSettings>(StoredSettings, () => UNREADABLE).notNull(),
    channel: knownText(),
    lastPostedAt: stamp(),
    lastNotifiedAt: stamp(),
  },
  (t) => [primaryKey({ columns: [t.watchId, t.environment] })],
);

/** How far an environment's incidents were drawn again, and its timeline was turned into lines and direct messages. */
export interface TimelineCursorRow {
  environment: string;
  version: number;
  entryId: number;
}

export const timelineCursors: Table<'timeline_cursors', TimelineCursorRow> = pgTable('timeline_cursors', {
  environment: text().primaryKey(),
  version: int8().notNull(),
  entryId: int8().notNull(),
});
