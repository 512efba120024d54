import type { Operators } from '../../domain/access/operators.ts';
import { type CheckResult, checkResult, counted, fine } from '../../domain/health/check-result.ts';
import type { GroupMembers } from '../access/require-operator.ts';
import type { Workspace } from '../ports/workspace.ts';
import type { SetupCheck } from './examine.ts';
import { goneAmong, groupTroublesOf, MOST_ASKED } from './who-is-there.ts';

export interface ExamineOperatorsParts {
  readonly operators: Operators;
  readonly workspace: Pick<Workspace, 'person' | 'userGroups'>;
  readonly groups: GroupMembers;
}

/** Checks who can send tests, change credentials and see the audit trail. */
export function operatorsCheck(parts: ExamineOperatorsParts): SetupCheck {
  return { subject: 'Operators', look: () => lookAtOperators(parts) };
}

async function lookAtOperators(parts: ExamineOperatorsParts): Promise<CheckResult[]> {
  const { operators, workspace } = parts;
  if (operators.who === 'nobody') return [NOBODY];
  if (operators.who === 'everybody') return [fine('Operators', 'Every member of this workspace.')];
  const [gone, { unused, empty }] = await Promise.all([
    goneAmong(operators.users.slice(0, MOST_ASKED), workspace),
    groupTroublesOf(operators.groups, parts),
  ]);
  const troubles = [
    ...trouble('Slack knows no active person with the ID', gone, FIX_PEOPLE),
    ...trouble('No user group in use has the ID', unused, FIX_GROUP),
    ...trouble('Nobody is in the user group', empty, FILL_GROUP),
  ];
  const who = `${counted(operators.users.length, 'person', 'people')}, ${counted(operators.groups.length, 'user group')}.`;
  return troubles.length > 0 ? troubles : [fine('Operators', who)];
}

const NOBODY = checkResult('advice', 'Operators', {
  what: "Sending tests and changing credentials are off: NOTIF_OPERATORS isn't set.",
  next: 'Set it to the Slack IDs of people (U…) and user groups (S…), and restart Notif.',
});

const FIX_PEOPLE = 'Take them out of NOTIF_OPERATORS, or fix their IDs, and restart Notif.';
const FIX_GROUP = 'Fix NOTIF_OPERATORS, or enable the group, and restart Notif.';
const FILL_GROUP = 'Add people to the group; Notif picks it up within five minutes.';

function trouble(what: string, ids: readonly string[], next: string): CheckResult[] {
  if (ids.length === 0) return [];
  return [checkResult('problem', 'Operators', { what, about: ids.map((id) => ({ kind: 'word', id })), next })];
}
