import { z } from 'zod';
import type { AuditEntry, AuditedIncident, Change } from '../../domain/access/audit.ts';
import type { Watch } from '../../watches/settings.ts';
import { describeWatch } from '../../watches/settings.ts';
import type { Sql } from '../database/database.ts';
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

const IncidentRow = z.object({ environment: z.string(), channel: z.string(), provider: z.string().nullable() });

/** `channel`: where somebody acted on it; null if it isn't known. */
export async function recordOnIncident(
  sql: Sql,
  { incidentId, channel }: { readonly incidentId: number; readonly channel: string | null },
  act: Act,
  changeOf: (incident: AuditedIncident) => Change,
): Promise<void> {
  const one = 'SELECT environment, channel, provider FROM incidents WHERE id = $1';
  const [row] = await sql.rows(IncidentRow, one, [incidentId]);
  if (row === undefined) throw new Error(`there is no incident ${incidentId}`);
  const { environment, ...incident } = row;
  await record(sql, act, { channel, environment, incidentId, change: changeOf({ number: incidentId, ...incident }) });
}

export async function record(
  sql: Sql,
  { by, now }: Act,
  what: Pick<AuditEntry, 'channel' | 'environment' | 'change'> & { readonly incidentId?: number },
): Promise<void> {
  await recordEntry(sql, { at: now, actor: by, ...what, outcome: { is: 'done' }, intentId: null });
}
