import { counted, type Finding, finding, fine } from '../domain/finding.ts';
import type { Operators } from '../domain/operators.ts';
import type { Check } from './examine.ts';
import type { GroupMembers } from './require-operator.ts';
import type { Workspace } from './workspace.ts';

export interface ExamineOperatorsParts {
  readonly operators: Operators;
  readonly workspace: Pick<Workspace, 'person' | 'userGroups'>;
  readonly groups: GroupMembers;
}

/** Slack tells of a hundred people a minute. */
const MOST_ASKED = 40;

/** Who may change things. */
export function operatorsCheck(parts: ExamineOperatorsParts): Check {
  return { subject: 'Operators', look: () => lookAtOperators(parts) };
}

async function lookAtOperators({ operators, workspace, groups }: ExamineOperatorsParts): Promise<Finding[]> {
  if (operators.who === 'nobody') return [NOBODY];
  if (operators.who === 'everybody') return [fine('Operators', 'Everybody who may use Notif.')];
  const users = operators.users.slice(0, MOST_ASKED);
  const [people, members] = await Promise.all([
    Promise.all(users.map((id) => workspace.person(id))),
    operators.groups.length === 0 ? [] : groupTroubles(operators.groups, workspace, groups),
  ]);
  const gone = users.filter((_, index) => people[index] === null);
  const troubles = [...gonePeople(gone), ...members];
  const who = `${counted(operators.users.length, 'person', 'people')}, ${counted(operators.groups.length, 'user group')}.`;
  return troubles.length > 0 ? troubles : [fine('Operators', who)];
}

const NOBODY = finding('advice', 'Operators', {
  what: 'Nobody may send a test or change anything: NOTIF_OPERATORS is not set.',
  next: 'Set it to the Slack ids of people (U…) and user groups (S…), and restart Notif.',
});

function gonePeople(ids: readonly string[]): Finding[] {
  if (ids.length === 0) return [];
  return [
    finding('problem', 'Operators', {
      what: 'Slack does not know, or not any more:',
      about: ids.map((id) => ({ kind: 'person', id })),
      next: 'Take them out of NOTIF_OPERATORS, or mend their ids, and restart Notif.',
    }),
  ];
}

async function groupTroubles(
  ids: readonly string[],
  workspace: Pick<Workspace, 'userGroups'>,
  groups: GroupMembers,
): Promise<Finding[]> {
  const known = (await workspace.userGroups()).map(({ id }) => id);
  const unknown = ids.filter((id) => !known.includes(id));
  const members = await Promise.all(
    ids.filter((id) => known.includes(id)).map(async (id) => ({ id, members: await groups.membersOf(id) })),
  );
  const empty = members.filter(({ members }) => members.length === 0).map(({ id }) => id);
  return [
    ...groupTrouble(
      'No user group in use has the id',
      unknown,
      'Mend NOTIF_OPERATORS, or enable the group, and restart Notif.',
    ),
    ...groupTrouble(
      'Nobody is in the user group',
      empty,
      'Put the people in it who may change things; it takes five minutes to be noticed.',
    ),
  ];
}

function groupTrouble(what: string, ids: readonly string[], next: string): Finding[] {
  if (ids.length === 0) return [];
  return [finding('problem', 'Operators', { what, about: ids.map((id) => ({ kind: 'user-group', id })), next })];
}
