import { sql } from 'drizzle-orm';
import { boolean, index, integer, pgTable, primaryKey, text, unique } from 'drizzle-orm/pg-core';
import type { Stored } from '../lib/text/shown-id.ts';
import { json, jsonByRow, knownText, knownTime, NEW_ID, referenceById, stamp, type Table } from '../store/columns.ts';
import { Initiator } from './kinds.ts';

export type MessageState = 'waiting' | 'posting' | 'posted' | 'gone';

/** A message in Slack, or one that is to be posted. What it shows is drawn when it is posted or edited, by whoever owns its kind. */
export interface MessageRow {
  id: string;
  /** A key of `Kinds`. */
  kind: string;
  /** Slack's ID of a channel, or of a person. */
  channel: string;
  /** What it is a message of, such as a watch. */
  owner: string | null;
  /** Tells it from its owner's others of the kind, such as a day. */
  subject: string;
  /** While one of a group has no outcome, no other of it is begun. */
  orderGroup: string | null;
  /** The message in whose thread it is. */
  threadOf: string | null;
  /** Slack refuses lines in its thread. */
  isThreadClosed: boolean;
  environment: string;
  /** Of a direct message: who caused it, and where. */
  initiator: Initiator | null;
  /** What its owner keeps of it. */
  content: Stored;
  createdAt: Date;
  state: MessageState;
  /** Tries since the last that Slack took. */
  attempt: number;
  /** When it is next posted or edited. Null: a message that waits is posted at once, a posted one isn't edited. */
  nextAt: Date | null;
  /** A change of state is edited before counts are. */
  isUrgent: boolean;
  /** When the last try began. */
  begunAt: Date | null;
  /** Until when a process has claimed it, by the database's clock. */
  leasedUntil: Date | null;
  /** When a post of it began whose answer was lost. */
  unresolvedSince: Date | null;
  /** Slack's word for why it wasn't taken, or one of ours. */
  lastRefusal: string | null;
  postedAt: Date | null;
  /** Slack's ID of it in its channel, a time in seconds. */
  ts: string | null;
  /** What was last shown, as a hash. Null: it isn't posted; '' or 'repeat:': unknown. */
  shownHash: string | null;
  /** When that was drawn. */
  drawnAt: Date | null;
  /** It stays as it is, since a newer message says what changes. */
  isLeft: boolean;
}

type Defaults =
  | 'id'
  | 'subject'
  | 'isThreadClosed'
  | 'environment'
  | 'content'
  | 'state'
  | 'attempt'
  | 'isUrgent'
  | 'isLeft';

export const slackMessages: Table<'slack_messages', MessageRow, Defaults> = pgTable(
  'slack_messages',
  {
    id: text().primaryKey().default(NEW_ID),
    kind: knownText(),
    channel: knownText(),
    owner: text(),
    subject: knownText().default(NEW_ID),
    orderGroup: text(),
    threadOf: text(),
    isThreadClosed: boolean().notNull().default(false),
    environment: knownText().default(''),
    initiator: json(Initiator, () => null).$type<Initiator>(),
    content: jsonByRow().$type<Stored>().notNull().default(sql`'{}'`),
    createdAt: knownTime(),
    state: text().$type<MessageState>().notNull().default('waiting'),
    attempt: integer().notNull().default(0),
    nextAt: stamp(),
    isUrgent: boolean().notNull().default(false),
    begunAt: stamp(),
    leasedUntil: stamp(),
    unresolvedSince: stamp(),
    lastRefusal: text(),
    postedAt: stamp(),
    ts: text(),
    shownHash: text(),
    drawnAt: stamp(),
    isLeft: boolean().notNull().default(false),
  },
  (t) => [
    unique('slack_messages_once').on(t.owner, t.kind, t.subject),
    index('slack_messages_to_post').on(t.createdAt).where(sql`state IN ('waiting', 'posting')`),
    index('slack_messages_to_edit')
      .on(t.nextAt)
      .where(sql`state = 'posted' AND NOT is_left AND (next_at IS NOT NULL OR leased_until IS NOT NULL)`),
    index('slack_messages_in_group').on(t.orderGroup).where(sql`state IN ('waiting', 'posting')`),
    index('slack_messages_in_thread').on(t.threadOf).where(sql`thread_of IS NOT NULL`),
    index('slack_messages_by_age').on(t.createdAt),
  ],
);

/** What a message is about, such as 'incident 17', and what it says of it: written when it is first drawn. */
export interface MessageSubjectRow {
  messageId: string;
  subject: string;
  says: Stored;
}

export const messageSubjects: Table<'message_subjects', MessageSubjectRow> = pgTable(
  'message_subjects',
  {
    messageId: referenceById('slack_messages').notNull(),
    subject: knownText(),
    says: jsonByRow().$type<Stored>().notNull(),
  },
  (t) => [primaryKey({ columns: [t.messageId, t.subject] }), index('message_subjects_by_subject').on(t.subject)],
);
