import type { WebClient } from '@slack/web-api';
import type { GroupMembers } from '../../use-cases/access/require-operator.ts';
import { remembered } from './remembered.ts';

/** Somebody who joins a group is an operator after this long at most. */
const KEPT_MS = 5 * 60_000;
const MOST_KEPT = 1_000;

/** The members of Slack user groups, asked for at most once in five minutes each. Rejects with Slack's error. */
export function createUserGroups({
  client,
  now,
}: {
  readonly client: WebClient;
  readonly now: () => Date;
}): GroupMembers {
  const parts = { keptMs: KEPT_MS, most: MOST_KEPT, now };
  return { membersOf: remembered((groupId) => askMembers(groupId, client), parts) };
}

async function askMembers(groupId: string, client: WebClient): Promise<readonly string[]> {
  const answer = await client.usergroups.users.list({ usergroup: groupId });
  return answer.users ?? [];
}
