import { WebAPIPlatformError, type WebClient } from '@slack/web-api';
import type { UserGroups } from '../../lib/people.ts';
import { inTime } from '../../lib/time/waiting.ts';
import type { SlackCtx } from '../ctx.ts';
import { PASSING_ERRORS } from '../router/passing-errors.ts';
import { remembering } from './remembered.ts';

/** The longest time until a new member of a group is an operator. */
const KEPT_MS = 5 * 60_000;
const MOST_KEPT = 1_000;
/** A form must be opened within three seconds of its interaction, and options shown. */
const PATIENCE_MS = 1_000;

export type UserGroupsCtx = Pick<SlackCtx, 'client' | 'logger' | 'now' | 'sleep'>;

/**
 * Each group is requested at most once in five minutes. While Slack doesn't respond within a second, its last answer is
 * used. Rejects with Slack's error if there is none, or if Slack refuses to answer, as for a group that was disabled.
 */
export function createUserGroups({ client, logger, now, sleep }: UserGroupsCtx): UserGroups {
  const last = new Map<string, readonly string[]>();
  const ask = remembering(
    async (groupId) => {
      const members = await askMembers(groupId, client);
      last.set(groupId, members);
      return members;
    },
    { keptMs: KEPT_MS, most: MOST_KEPT, now },
  );
  return {
    membersOf: async (groupId) => {
      const before = last.get(groupId);
      try {
        const answer = ask(groupId);
        return await (before === undefined ? answer : inTime(answer, { ms: PATIENCE_MS, instead: before }, sleep));
      } catch (err) {
        if (before === undefined || !isPassing(err)) throw err;
        logger.warn({ err, group: groupId }, 'Slack did not say who is in a user group: what it said before holds');
        return before;
      }
    },
  };
}

function isPassing(error: unknown): boolean {
  return !(error instanceof WebAPIPlatformError) || PASSING_ERRORS.has(error.data.error);
}

async function askMembers(groupId: string, client: WebClient): Promise<readonly string[]> {
  const answer = await client.usergroups.users.list({ usergroup: groupId });
  return answer.users ?? [];
}
