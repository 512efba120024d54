import { sql } from 'drizzle-orm';
import { boolean, index, integer, pgTable, primaryKey, text, unique } from 'drizzle-orm/pg-core';
import { type Stored, stored } from '../lib/text/shown-id.ts';
import {
  fromZero,
  idIn,
  int8,
  json,
  jsonByRow,
  knownText,
  knownTime,
  NEW_ID,
  numberIn,
  stamp,
} from '../store/columns.ts';
import { type AlertReason, type MessageKind, Owner } from './kinds.ts';

/** What a message shows is read when it is posted or edited. */
export const messages = pgTable(
  'messages',
  {
    id: text().primaryKey().default(NEW_ID),
    watchId: idIn('watches'),
    recipient: text(),
    owner: json(Owner, () => null),
    kind: text().$type<MessageKind>().notNull(),
    subject: knownText().default(NEW_ID), // once a watch and kind, such as a day
    environment: knownText().default(''), // '': of several
    threadOf: text(),
    content: jsonByRow().$type<Stored>().notNull().default(stored({})),
    createdAt: knownTime(),
    state: text().$type<'waiting' | 'posting' | 'posted' | 'gone'>().notNull().default('waiting'),
    attempt: integer().notNull().default(0),
    nextAt: stamp(), // null: a post at once, no edit
    begunAt: stamp(),
    leasedUntil: stamp(), // by the database's clock
    unresolvedSince: stamp(),
    lastRefusal: text(),
    postedAt: stamp(),
    ts: text(),
    shownHash: text(), // null: not posted; '' or 'repeat:': unknown
    drawnAt: stamp(),
    drawn: fromZero(), // its incidents' `recorded` in sum, by `drawnAt`
    isFrozen: boolean().notNull().default(false),
  },
  (t) => [
    unique('messages_told_once').on(t.watchId, t.kind, t.subject),
    index('messages_to_post').on(t.createdAt).where(sql`state IN ('waiting', 'posting')`),
    index('messages_to_draw')
      .on(t.nextAt)
      .where(sql`state = 'posted' AND NOT is_frozen AND (next_at IS NOT NULL OR leased_until IS NOT NULL)`),
    index('messages_by_age').on(t.createdAt),
  ],
);

export const alerts = pgTable(
  'alerts',
  {
    messageId: idIn('messages').notNull(),
    incidentId: numberIn('incidents').notNull(),
    watchId: text(),
    reason: text().$type<AlertReason>().notNull(),
    at: knownTime(),
    recorded: int8().notNull(),
    seq: int8().notNull(), // the newest failure's
    matched: int8().notNull(), // failures that the watch covers
    relapses: integer().notNull(),
    critical: boolean().notNull(),
    missed: int8(), // failures while it was muted
    stateAt: stamp(),
    escalated: boolean().notNull().default(false), // since its last relapse
  },
  (t) => [
    primaryKey({ columns: [t.messageId, t.incidentId] }),
    index('alerts_of_incident').on(t.incidentId, t.watchId, t.at),
    index('alerts_of_watch').on(t.watchId, t.at),
  ],
);
