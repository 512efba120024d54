import { z } from 'zod';
import type { EnvironmentChange } from '../../domain/changes/change.ts';
import { isAbout, type Watch, wantsChange } from '../../domain/watches/watch.ts';
import type { AnnouncingStore } from '../../use-cases/alerting/announce-failures.ts';
import { ChangeColumns, changeOf } from '../changes/environment-changes.ts';
import { type Database, jsonOf, type Sql } from '../database/database.ts';
import { Count, IdRow } from '../database/row.ts';
import { beginOrEndChanges, lockEnvironment, SHOWS_CHANGES } from '../watches/positions.ts';
import { ofWholeWatch, unsettledMutes } from '../watches/watch-mutes.ts';
import { WATCH_COLUMNS, WatchRow } from '../watches/watches.ts';

const PositionRow = z.object({ watch_id: z.string(), changes_to: Count.nullable() });
const NewestRow = z.object({ newest: Count });

interface Asker {
  readonly watch: Watch;
  readonly seenTo: number;
}

/** Writes the messages that show changes to watches with `changes:on`: one per environment and channel, by the oldest such watch there. */
export function changeNotices(database: Database): Pick<AnnouncingStore, 'announceChanges'> {
  return {
    announceChanges: async (environment, isDue, now) => {
      if ((await database.rows(PositionRow, POSITIONS, [environment])).length === 0) return [];
      return database.withTransaction(async (sql) => {
        // Replicas take turns, so that none repeats what another announced.
        await lockEnvironment(sql, environment);
        const newest = await newestChange(sql, environment);
        await beginOrEndChanges(sql);
        const written: string[] = [];
        for (const askers of await channelsBehind(sql, environment, newest)) {
          const messageId = await announceTo(sql, askers, { environment, newest }, isDue, now);
          if (messageId !== null) written.push(messageId);
        }
        return written;
      });
    },
  };
}

const POSITIONS = `
  SELECT p.watch_id, p.changes_to FROM positions p JOIN watches w ON w.id = p.watch_id
  WHERE p.environment = $1 AND w.ended_at IS NULL AND (${SHOWS_CHANGES} OR p.changes_to IS NOT NULL)`;

async function newestChange(sql: Sql, environment: string): Promise<number> {
  const one = 'SELECT coalesce(max(id), 0) AS newest FROM changes WHERE environment = $1';
  return (await sql.rows(NewestRow, one, [environment]))[0]?.newest ?? 0;
}

async function channelsBehind(sql: Sql, environment: string, newest: number): Promise<readonly Asker[][]> {
  const positions = await sql.rows(PositionRow, POSITIONS, [environment]);
  const seen = new Map(positions.map(({ watch_id, changes_to }) => [watch_id, changes_to]));
  const watches = await sql.rows(WatchRow, WATCHES, [environment]);
  const channels = new Map<string, Asker[]>();
  for (const watch of watches) {
    const seenTo = seen.get(watch.id) ?? null;
    if (seenTo === null || seenTo >= newest || !isAbout(watch.settings.filter, environment)) continue;
    channels.set(watch.channel, [...(channels.get(watch.channel) ?? []), { watch, seenTo }]);
  }
  return [...channels.values()];
}

const WATCHES = `
  SELECT ${WATCH_COLUMNS} FROM watches w JOIN positions p ON p.watch_id = w.id
  WHERE p.environment = $1 AND w.ended_at IS NULL AND p.changes_to IS NOT NULL ORDER BY w.created_at, w.id`;

type IsDue = Parameters<AnnouncingStore['announceChanges']>[1];

/** Null if nothing is written: it isn't due yet, or no watch in the channel covers the changes. */
async function announceTo(
  sql: Sql,
  askers: readonly Asker[],
  { environment, newest }: { readonly environment: string; readonly newest: number },
  isDue: IsDue,
  now: Date,
): Promise<string | null> {
  const [speaker] = askers;
  if (speaker === undefined) return null;
  const mute = ofWholeWatch(await unsettledMutes(sql, speaker.watch.id));
  if (!isDue({ watch: speaker.watch, mute })) return null;
  const unseen = await changesAfter(sql, environment, Math.min(...askers.map(({ seenTo }) => seenTo)));
  await sql.write(SEEN, [environment, newest, jsonOf(askers.map(({ watch }) => watch.id))]);
  const wanted = unseen.filter((change) =>
    askers.some(({ watch, seenTo }) => change.id > seenTo && wantsChange(watch.settings.filter, change.what)),
  );
  const [first] = wanted;
  if (first === undefined) return null;
  const details = jsonOf({ changes: wanted.map(({ id }) => id) });
  const [message] = await sql.rows(IdRow, ADD, [speaker.watch.id, environment, now, first.at, details]);
  return message?.id ?? null;
}

async function changesAfter(sql: Sql, environment: string, id: number): Promise<EnvironmentChange[]> {
  const after = 'SELECT * FROM changes WHERE environment = $1 AND id > $2 ORDER BY id';
  return (await sql.rows(ChangeColumns, after, [environment, id])).map(changeOf);
}

const SEEN = `
  UPDATE positions SET changes_to = $2
  WHERE environment = $1 AND watch_id IN (SELECT jsonb_array_elements_text($3::jsonb))`;

const ADD = `
  INSERT INTO messages (watch_id, environment, kind, created_at, covered_from, covered_to, details)
  VALUES ($1, $2, 'changes', $3, $4, $3, $5::jsonb)
  RETURNING id`;
