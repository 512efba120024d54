import { subDays } from 'date-fns';
import { PersonUnknownError } from '../lib/errors.ts';
import { TAB_OFF, unreachedWords } from '../lib/refusals.ts';
import { describeDuration } from '../lib/time/durations.ts';
import { GROUP_CURRENT_MS, isUserGroup, type Operators, type Workspace } from '../lib/workspace.ts';
import { refusedPeople } from '../outbox/backlog.ts';
import { knownPeople } from '../people/identity.ts';
import type { Ctx, Db } from '../store/db.ts';
import { watchesIn } from '../watches/watches.ts';
import type { DoctorCtx } from './doctor.ts';
import { advice, type Finding, inChannel, problem } from './finding.ts';

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

const FIX = 'Fix NOTIF_OPERATORS and restart Notif, or add people to the group.';
const EDIT = 'Change the watch there: /notif watches, Edit.';
const NO_OPERATORS = advice(
  "Sending tests and changing credentials are off: NOTIF_OPERATORS isn't set.",
  'Set it to IDs of people (U…) and user groups (S…), and restart Notif.',
);

/** Operators and people whom watches mention that Slack doesn't know any more. */
export async function peopleFindings({ db, operators, workspace }: DoctorCtx): Promise<Finding[]> {
  const operatorIds = [...operators.users, ...operators.groups];
  const mentions = (await watchesIn(db)).flatMap(({ channel, settings: { mention } }) => {
    return mention === null ? [] : [{ id: mention.id, about: [mention, ...inChannel(channel)] }];
  });
  const faults = await faultsOf([...operatorIds, ...mentions.map(({ id }) => id)], workspace);
  const found = (id: string, sentence: string, next: string, about: Finding['about']) => {
    const fault = faults.get(id) ?? null;
    return fault === null ? [] : [problem(`${sentence} ${fault}:`, next, about)];
  };
  return [
    ...(operatorIds.length === 0 && !operators.isEverybody ? [NO_OPERATORS] : []),
    ...operatorIds.flatMap((id) => found(id, 'NOTIF_OPERATORS names an ID that', FIX, [{ kind: 'word', id }])),
    ...mentions.flatMap(({ id, about }) => found(id, 'A watch mentions somebody that', EDIT, about)),
  ];
}

/** What is wrong with each person or user group, by its ID; null: nothing. */
async function faultsOf(
  ids: readonly string[],
  workspace: DoctorCtx['workspace'],
): Promise<ReadonlyMap<string, string | null>> {
  const groupsInUse = ids.some(isUserGroup) ? (await workspace.userGroups()).map(({ id }) => id) : [];
  const faultOf = async (id: string) => {
    if (!isUserGroup(id)) return (await workspace.isActive(id)) ? null : 'has no active account';
    const isEmpty = !groupsInUse.includes(id) || (await workspace.membersOf(id)).members.length === 0;
    return isEmpty ? 'is no user group in use, or has no members' : null;
  };
  return new Map(await Promise.all([...new Set(ids)].map(async (id) => [id, await faultOf(id)] as const)));
}
