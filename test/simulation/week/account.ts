import { z } from 'zod';
import type { Store } from '../../../src/store/store.ts';
import { FATES, type Fate, type Week } from './week.ts';

/** For an outcome: how many failures were planted, how many are in the account, and how many have more than one entry. */
export interface FateAccount {
  readonly fate: Fate;
  readonly planted: number;
  readonly accounted: number;
  readonly doubled: number;
}

/** A group of the account in a watch: what was recorded, and what the watch was alerted to. */
export interface GroupAccount {
  readonly watch: string;
  readonly group: string;
  readonly recorded: number;
  readonly alerted: number;
  readonly messages: number;
}

const Recorded = z.object({ event_key: z.string(), entries: z.coerce.number() });
const GroupRow = z.object({
  watch: z.string(),
  group: z.string(),
  recorded: z.coerce.number(),
  alerted: z.coerce.number(),
  messages: z.coerce.number(),
});

/** Compares each planted failure with what the store holds. `seenBy`: what shows after this time can't have been checked. */
export async function accountOfFates(week: Week, store: Store, seenBy: number): Promise<FateAccount[]> {
  const rows = (await store.executeSql('SELECT event_key, count(*) AS entries FROM failures GROUP BY 1')).rows;
  const entries = new Map(rows.map((row) => Recorded.parse(row)).map((row) => [row.event_key, row.entries]));
  const accounts = FATES.map((fate) => ({ fate, planted: 0, accounted: 0, doubled: 0 }));
  week.createdAt.forEach((_, index) => {
    const account = accounts[week.fate[index] ?? 0];
    const failsAt = week.failsAt[index] ?? 0;
    if (account === undefined || failsAt === 0 || failsAt > seenBy) return;
    const found = entries.get(index.toString(16).padStart(24, '0')) ?? 0;
    account.planted += 1;
    if (found > 0) account.accounted += 1;
    if (found > 1) account.doubled += 1;
  });
  return accounts.filter(({ planted }) => planted > 0);
}

/** Returns, for each watch and each group that it covers, the recorded failures and those in episodes that it was alerted to. */
export async function accountOfGroups(
  store: Store,
  watches: readonly { readonly id: string; readonly name: string; readonly condition: string }[],
): Promise<GroupAccount[]> {
  const accounts: GroupAccount[] = [];
  for (const { id, name, condition } of watches) {
    const { rows } = await store.executeSql(GROUPS_OF_WATCH.replace('CONDITION', condition), [id, name]);
    accounts.push(...rows.map((row) => GroupRow.parse(row)));
  }
  return accounts;
}

const GROUPS_OF_WATCH = `
  WITH alerted AS (
    SELECT DISTINCT a.episode_id FROM announcements a JOIN messages d ON d.id = a.message_id
    WHERE d.watch_id = $1 AND d.state IN ('posted', 'gone')
  ), messages AS (
    SELECT part.group_key, count(DISTINCT a.message_id) AS messages
    FROM announcements a JOIN messages d ON d.id = a.message_id JOIN episode_parts part ON part.episode_id = a.episode_id
    WHERE d.watch_id = $1 GROUP BY 1
  )
  SELECT $2 AS watch, concat_ws(' · ', g.workflow, g.channel, g.provider, g.cause_text) AS group,
    (SELECT count(*) FROM failures f WHERE f.group_key = g.key) AS recorded,
    (SELECT coalesce(sum(part.failures), 0) FROM episode_parts part WHERE part.group_key = g.key AND part.episode_id IN (SELECT episode_id FROM alerted)) AS alerted,
    coalesce((SELECT messages FROM messages m WHERE m.group_key = g.key), 0) AS messages
  FROM groups g WHERE g.announcement = 'announced' AND CONDITION ORDER BY recorded DESC`;
