import { subDays } from 'date-fns';
import { PersonUnknownError } from '../lib/errors.ts';
import { TAB_OFF, unreachedWords } from '../lib/refusals.ts';
import { describeDuration } from '../lib/time/durations.ts';
import { GROUP_CURRENT_MS, type Operators, type Workspace } from '../lib/workspace.ts';
import { refusedPeople } from '../outbox/backlog.ts';
import { knownPeople } from '../people/identity.ts';
import type { Ctx, Db } from '../store/db.ts';
import { advice, type Finding, problem } from './finding.ts';

export interface PeopleCtx extends Pick<Ctx, 'logger' | 'now'> {
  operators: Pick<Operators, 'groups'>;
  workspace: Pick<Workspace, 'membersOf'>;
}

const GROUP = 'who is in a user group of NOTIF_OPERATORS';
const CHECK_SCOPE = 'If it persists, check the scope usergroups:read, or list IDs of people in NOTIF_OPERATORS.';

/** What Slack doesn't say of operators, who lose their rights by it. */
export async function operatorTroubles({ operators, workspace, logger, now }: PeopleCtx): Promise<Finding[]> {
  const troubles = operators.groups.map(async (id) => {
    const about = [{ kind: 'user-group', id } as const];
    try {
      const ageMs = now().getTime() - (await workspace.membersOf(id)).asOf.getTime();
      if (ageMs < GROUP_CURRENT_MS) return [];
      const used = `Its last answer is ${describeDuration(ageMs)} old, and counts until it is an hour old:`;
      return [advice(`Slack doesn't say ${GROUP}. ${used}`, CHECK_SCOPE, about)];
    } catch (err) {
      logger.warn({ err }, "Slack didn't say who is an operator");
      const reason = err instanceof PersonUnknownError ? err.reason : 'no answer';
      return [problem(`Slack doesn't say ${GROUP} (${reason}), so its members are refused:`, CHECK_SCOPE, about)];
    }
  });
  return (await Promise.all(troubles)).flat();
}

/** Direct messages that were refused before aren't shown. */
const SHOWN_DAYS = 7;

/** Where direct messages didn't arrive lately, and none has since. */
export async function directMessageTroubles(db: Db, now: Date): Promise<Finding[]> {
  const refused = await refusedPeople(db, subDays(now, SHOWN_DAYS));
  const personOf = await knownPeople(db);
  return [...new Set(refused.map(({ code }) => code))].map((code) => {
    const { why, fix } = unreachedWords(code);
    const those = refused.filter((person) => person.code === code);
    const about = new Map(those.map(({ person: id }) => [personOf(id), { kind: 'person', id } as const]));
    const found = code === TAB_OFF ? problem : advice;
    return found(`Slack refused direct messages because ${why}:`, `${fix}. This ends once one arrives.`, [
      ...about.values(),
    ]);
  });
}
