import { isUserGroup } from '../lib/workspace.ts';
import { watchesIn } from '../watches/watches.ts';
import type { DoctorCtx } from './doctor.ts';
import { advice, type Finding, inChannel, problem } from './finding.ts';

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
