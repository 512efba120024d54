import { z } from 'zod';
import type { AuditEntry, AuditedGroup, Change } from '../../domain/access/audit.ts';
import type { Watch } from '../../domain/watches/watch.ts';
import { describeWatch } from '../../domain/watches/watch-settings.ts';
import type { Sql } from '../database/database.ts';
import { recordEntry } from './audit.ts';

/** Who acted, and when. */
export interface Act {
  readonly by: string;
  readonly now: Date;
}

/** Records what somebody did to a watch, in the same transaction. */
export async function recordOnWatch(
  sql: Sql,
  { channel, settings }: Pick<Watch, 'channel' | 'settings'>,
  act: Act,
  changeOf: (watch: string) => Change,
): Promise<void> {
  await record(sql, act, { channel, environment: null, change: changeOf(describeWatch(settings)) });
}

const GroupRow = z.object({
  environment: z.string(),
  workflow: z.string().nullable(),
  channel: z.string(),
  provider: z.string().nullable(),
  cause: z.string(),
});

/** Records what somebody did to a group's incident, in the same transaction, with the channel; null if it isn't known. */
export async function recordOnGroup(
  sql: Sql,
  { groupKey, channel }: { readonly groupKey: string; readonly channel: string | null },
  act: Act,
  changeOf: (group: AuditedGroup) => Change,
): Promise<void> {
  const one = 'SELECT environment, workflow, channel, provider, cause_text AS cause FROM groups WHERE key = $1';
  const [row] = await sql.rows(GroupRow, one, [groupKey]);
  if (row === undefined) throw new Error(`there is no group ${groupKey}`);
  const { environment, ...group } = row;
  await record(sql, act, { channel, environment, change: changeOf(group) });
}

/** Records a change of the store as done: it is done exactly once, in the same transaction. */
export async function record(
  sql: Sql,
  { by, now }: Act,
  what: Pick<AuditEntry, 'channel' | 'environment' | 'change'>,
): Promise<void> {
  await recordEntry(sql, { at: now, actor: by, ...what, outcome: { is: 'done' }, intentId: null });
}
