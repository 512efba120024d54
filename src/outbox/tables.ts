import { sql } from 'drizzle-orm';
import { boolean, index, integer, pgTable, primaryKey, text, unique } from 'drizzle-orm/pg-core';
import { type Stored, stored } from '../lib/text/shown-id.ts';
import { fromZero, idIn, int8, json, knownText, knownTime, NEW_ID, numberIn, time } from '../store/columns.ts';
import type { AlertReason, MessageKind } from './kinds.ts';

/** Drawn from the state of when it is posted or edited. */
export const messages = pgTable(
  'messages',
  {
    id: text().primaryKey().default(NEW_ID),
    watchId: idIn('watches'),
    recipient: text(),
    kind: text().$type<MessageKind>().notNull(),
    subject: knownText().default(NEW_ID), // notified of once: a day
    environment: knownText().default(''), // '': of several
    threadOf: text(),
    content: json().$type<Stored>().notNull().default(stored({})),
    createdAt: knownTime(),
    state: text().$type<'waiting' | 'posting' | 'posted' | 'gone'>().notNull().default('waiting'),
    attempt: integer().notNull().default(0),
    nextAt: time(), // null: at once, or not at all
    begunAt: time(),
    leasedUntil: time(), // by the database's clock
    unresolvedSince: time(),
    lastRefusal: text(),
    postedAt: time(),
    ts: text(),
    shownHash: text(), // null: not posted; '' or a mark alone: nobody knows
    drawnAt: time(),
    drawn: fromZero(), // what was recorded of its incidents by `drawnAt`
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
    seq: int8().notNull(),
    matched: int8().notNull(),
    relapses: integer().notNull(),
    critical: boolean().notNull(),
    missed: int8(),
    stateAt: time(),
    escalated: boolean().notNull().default(false), // in its outbreak
  },
  (t) => [
    primaryKey({ columns: [t.messageId, t.incidentId] }),
    index('alerts_of_incident').on(t.incidentId, t.watchId, t.at),
    index('alerts_of_watch').on(t.watchId, t.at),
  ],
);
