import type { WebClient } from '@slack/web-api';
import type { GroupMembers } from '../../use-cases/access/require-operator.ts';
import { remembered } from './remembered.ts';

/** The longest time until a new member of a group is an operator. */
const KEPT_MS = 5 * 60_000;
const MOST_KEPT = 1_000;

/** Returns the members of Slack user groups, each requested at most once in five minutes. Rejects with Slack's error. */
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
