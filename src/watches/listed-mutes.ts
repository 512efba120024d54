import { sql } from 'drizzle-orm';
import { z } from 'zod';
import type { Channels } from '../lib/workspace.ts';
import { Count, type Db, jsonOf, textList } from '../store/db.ts';

/** A person's mutes of one thing and time in a channel, of one or several watches. */
export interface ListedMute {
  /** Null: the channel isn't public. */
  channel: string | null;
  actor: string;
  from: Date;
  until: Date;
  incident: MutedIncident | null;
  provider: string | null;
  workflow: string | null;
  /** It begins later. */
  isPlanned: boolean;
  /** So many of the channel's watches are muted. */
  watches: number;
}

interface MutedIncident {
  id: number;
  environment: string;
  channel: string;
  provider: string | null;
}

const ListedRow: z.ZodType<ListedMute> = z.object({
  channel: z.string().nullable(),
  actor: z.string(),
  from: z.date(),
  until: z.date(),
  incident: z
    .object({ id: Count, environment: z.string(), channel: z.string(), provider: z.string().nullable() })
    .nullable(),
  provider: z.string().nullable(),
  workflow: z.string().nullable(),
  isPlanned: z.boolean(),
  watches: Count,
});

/** Mutes that run or are planned, as far as they concern these environments. */
export async function listedMutes(db: Db, environments: readonly string[], now: Date): Promise<ListedMute[]> {
  const covered = sql`coalesce(w.settings #> '{filter,environments}', '[]')`;
  return db.rows(
    ListedRow,
    sql`
      SELECT
        w.channel,
        m.muted_by AS actor,
        m.begins_at AS "from",
        m.until,
        m.provider,
        m.workflow,
        m.begins_at > ${now} AS is_planned,
        CASE WHEN i.id IS NOT NULL THEN jsonb_build_object(
          'id', i.id,
          'environment', i.environment,
          'channel', i.channel,
          'provider', i.provider) END AS incident,
        count(*) AS watches
      FROM mutes m
      JOIN watches w ON w.id = m.watch_id
      LEFT JOIN incidents i ON i.id = m.incident_id
      WHERE m.until > ${now}
        AND w.ended_at IS NULL
        AND (i.id IS NULL OR (i.state <> 'resolved' AND coalesce(m.outbreak = i.outbreak, true)))
        AND CASE
          WHEN i.id IS NOT NULL THEN i.environment IN ${textList(environments)}
          ELSE ${covered} = '[]' OR ${covered} ?| ARRAY(SELECT jsonb_array_elements_text(${jsonOf(environments)}::jsonb))
        END
      GROUP BY w.channel, m.muted_by, m.begins_at, m.until, m.provider, m.workflow, i.id
      ORDER BY m.begins_at, m.until, w.channel, i.id`,
  );
}

/** The mutes without the names of channels that not everybody can see. */
export async function withPublicChannels(
  mutes: readonly ListedMute[],
  channels: Pick<Channels, 'isPublic'>,
): Promise<readonly ListedMute[]> {
  return Promise.all(
    mutes.map(async (mute) => {
      const isPublic = mute.channel !== null && (await channels.isPublic(mute.channel));
      return isPublic ? mute : { ...mute, channel: null };
    }),
  );
}
