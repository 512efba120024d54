import type { WebClient } from '@slack/web-api';
import type { GroupMembers } from '../../use-cases/access/require-operator.ts';

/** Somebody who joins a group is an operator after this long at most. */
const KEPT_MS = 5 * 60_000;

interface Kept {
  readonly members: Promise<readonly string[]>;
  readonly until: number;
}

/** The members of Slack user groups, asked for at most once in five minutes each. Rejects with Slack's error. */
export function createUserGroups({
  client,
  now,
}: {
  readonly client: WebClient;
  readonly now: () => Date;
}): GroupMembers {
  const kept = new Map<string, Kept>();
  return {
    membersOf: (groupId) => {
      const known = kept.get(groupId);
      if (known !== undefined && now().getTime() < known.until) return known.members;
      const members = askMembers(groupId, client);
      kept.set(groupId, { members, until: now().getTime() + KEPT_MS });
      // A failure is told to the person who asked; it is only not kept for the next.
      members.catch(() => kept.delete(groupId));
      return members;
    },
  };
}

async function askMembers(groupId: string, client: WebClient): Promise<readonly string[]> {
  const answer = await client.usergroups.users.list({ usergroup: groupId });
  return answer.users ?? [];
}
