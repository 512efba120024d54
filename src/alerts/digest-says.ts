import { and, eq, inArray, isNotNull, sql } from 'drizzle-orm';
import { z } from 'zod';
import { BADNESSES } from '../incidents/badness.ts';
import { boundedId, type StorableJson, type Stored, stored } from '../lib/text/shown-id.ts';
import type { Said } from '../outbox/messages.ts';
import { messageSubjects, slackMessages } from '../outbox/tables.ts';
import { type Db, jsonOf } from '../store/db.ts';
import { unionOf } from '../watches/covers.ts';
import { StoredFilter, type Watch, type WatchFilter } from '../watches/settings.ts';
import { POST_REASONS, ToldState } from './decide.ts';

/** What a digest says of an incident. Once it is posted, that was told. */
export const DigestSays = z.object({
  reason: z.enum(POST_REASONS),
  outbreak: z.number(),
  ...ToldState.shape,
  /** When that outbreak began, as the first message of the watch said. Null: it isn't posted yet. */
  began: z.coerce.date().nullable().default(null),
  /** The newest entry of the timeline that it shows. */
  entryId: z.number(),
  rings: z.boolean(),
  /** It is posted with the watch's mention. */
  mentions: z.boolean().default(false),
  /** The people of its user group whom it mentions; null: all. */
  mentionsOnly: z.array(z.string()).nullable().default(null),
  /** As the newest edit shows it. */
  shownBadness: z.enum(BADNESSES).nullable().default(null),
  /** Failures since it was last told, where a mute kept them back. */
  missed: z.number().nullable(),
  /** The mute that broke. */
  broke: z.object({ actor: z.string(), until: z.coerce.date() }).nullable(),
  /** The filter of the failures that it counts; null: told by a version that didn't note it. */
  filter: StoredFilter.nullable().default(null),
});
export type DigestSays = z.output<typeof DigestSays>;

/** What subjects of messages about incidents begin with. */
const PREFIX = 'incident ';
export const subjectOf = (incidentId: number): string => `${PREFIX}${incidentId}`;

export const incidentIn = (subject: string): number | null =>
  subject.startsWith(PREFIX) ? Number(subject.slice(PREFIX.length)) : null;

/** Contacts in a watch's filter are masked when it's set. */
export const storedSays = ({ filter, mentionsOnly, ...says }: DigestSays): Stored =>
  stored({
    ...says,
    filter: filter as StorableJson<WatchFilter> | null,
    mentionsOnly: mentionsOnly?.map(boundedId) ?? null,
  });

/** What a message says of each incident; one that this version can't read is left out. */
export function digestSays(said: readonly Said[]): ReadonlyMap<number, DigestSays> {
  return new Map(
    said.flatMap(({ subject, says }) => {
      const incidentId = incidentIn(subject);
      const parsed = DigestSays.safeParse(says);
      return incidentId === null || !parsed.success ? [] : [[incidentId, parsed.data] as const];
    }),
  );
}

/** The filter by which a message counts: the watch's, but an edit takes nothing back that was told. */
export function filterToldBy(says: ReadonlyMap<number, DigestSays>, { settings }: Watch): WatchFilter {
  const told = [...says.values()].find(({ filter }) => filter !== null)?.filter ?? settings.filter;
  return unionOf(told, settings.filter);
}

const FirstRow = z.object({ subject: z.string(), at: z.date() });

/** When the watch's channel was first rung for the newest outbreak of each incident. */
export async function firstRings(
  db: Db,
  { channel }: Watch,
  incidents: readonly { id: number; outbreak: number }[],
): Promise<ReadonlyMap<number, Date>> {
  if (incidents.length === 0) return new Map();
  const outbreaks = incidents.map(({ id, outbreak }) => ({ subject: subjectOf(id), outbreak }));
  const rows = await db.rows(
    FirstRow,
    sql`
      SELECT s.subject, min(m.posted_at) AS at
      FROM jsonb_to_recordset(${jsonOf(outbreaks)}::jsonb) AS item (subject text, outbreak text)
      JOIN message_subjects s ON s.subject = item.subject
        AND s.says ->> 'outbreak' = item.outbreak
        AND s.says ->> 'rings' = 'true'
      JOIN slack_messages m ON m.id = s.message_id
      WHERE m.channel = ${channel}
        AND m.posted_at IS NOT NULL
      GROUP BY s.subject`,
  );
  return new Map(rows.map(({ subject, at }) => [incidentIn(subject) ?? 0, at]));
}

/** A digest in Slack that told of an incident, or the line that nobody had acknowledged it. */
export interface AlertPost {
  at: Date;
  channel: string;
  /** Somebody was mentioned. */
  mentions: boolean;
  isEscalation: boolean;
}

export async function postsAbout(db: Db, incidentId: number): Promise<readonly AlertPost[]> {
  const isPost = and(
    eq(messageSubjects.subject, subjectOf(incidentId)),
    inArray(slackMessages.kind, ['digest', 'line']),
    isNotNull(slackMessages.postedAt),
  );
  const rows = await db
    .select()
    .from(messageSubjects)
    .innerJoin(slackMessages, eq(slackMessages.id, messageSubjects.messageId))
    .where(isPost);
  return rows.flatMap(({ slack_messages: { kind, channel, postedAt: at }, message_subjects: { says } }) => {
    const mentions = DigestSays.safeParse(says).data?.mentions ?? false;
    return at === null ? [] : [{ at, channel, mentions, isEscalation: kind === 'line' }];
  });
}
