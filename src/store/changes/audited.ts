import { z } from 'zod';
import type { AuditEntry, AuditedIncident, Change } from '../../domain/access/audit.ts';
import type { Watch } from '../../domain/watches/watch.ts';
import { describeWatch } from '../../domain/watches/watch-settings.ts';
import type { Sql } from '../database/database.ts';
import { Count } from '../database/row.ts';
import { recordEntry } from './audit.ts';

export interface Act {
  readonly by: string;
  readonly now: Date;
}

export async function recordOnWatch(
  sql: Sql,
  { channel, settings }: Pick<Watch, 'channel' | 'settings'>,
  act: Act,
  changeOf: (watch: string) => Change,
): Promise<void> {
  await record(sql, act, { channel, environment: null, change: changeOf(describeWatch(settings)) });
}

const IncidentRow = z.object({
  environment: z.string(),
  number: Count.nullable(),
  channel: z.string(),
  provider: z.string().nullable(),
});

/** `episodeId`: an earlier episode of the group's incident; null: the last. */
export async function recordOnIncident(
  sql: Sql,
  {
    groupKey,
    episodeId,
    channel,
  }: { readonly groupKey: string; readonly episodeId: number | null; readonly channel: string | null },
  act: Act,
  changeOf: (incident: AuditedIncident) => Change,
): Promise<void> {
  const [row] = await sql.rows(IncidentRow, INCIDENT, [groupKey, episodeId]);
  if (row === undefined) throw new Error(`there is no group ${groupKey}`);
  const { environment, ...incident } = row;
  await record(sql, act, { channel, environment, change: changeOf(incident) });
}

const INCIDENT = `
  SELECT environment, channel, provider,
    coalesce($2::bigint, (SELECT max(id) FROM episodes s WHERE s.incident_key = g.incident_key)) AS number
  FROM groups g WHERE key = $1`;

export async function record(
  sql: Sql,
  { by, now }: Act,
  what: Pick<AuditEntry, 'channel' | 'environment' | 'change'>,
): Promise<void> {
  await recordEntry(sql, { at: now, actor: by, ...what, outcome: { is: 'done' }, intentId: null });
}
