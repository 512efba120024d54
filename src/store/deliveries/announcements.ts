import type { AnnouncedEpisode } from '../../domain/alerting/merged-digest.ts';
import { jsonOf, type SqlWrite } from '../database/database.ts';

/** Writes the announcements of a watch's digest, in this order. */
export async function addAnnouncements(
  sql: SqlWrite,
  { messageId, watchId }: { readonly messageId: string; readonly watchId: string },
  announcements: readonly AnnouncedEpisode[],
): Promise<void> {
  await sql.write(ADD, [messageId, watchId, jsonOf(announcements)]);
}

const ADD = `
  INSERT INTO announcements (message_id, watch_id, position, episode_id, reason, announced_at, announced_failures, announced_seq,
    announced_relapses, announced_critical, missed, has_other_filter)
  SELECT $1, $2, row_number() OVER (ORDER BY announced.position), (item ->> 'episodeId')::bigint, item ->> 'reason',
    (item ->> 'at')::timestamptz, (item ->> 'failures')::bigint, (item ->> 'seq')::bigint, (item ->> 'relapses')::integer,
    (item ->> 'wasCritical')::boolean, (item ->> 'missed')::bigint, (item ->> 'hasOtherFilter')::boolean
  FROM jsonb_array_elements($3::jsonb) WITH ORDINALITY AS announced (item, position)`;
