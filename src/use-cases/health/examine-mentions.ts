import { type CheckResult, checkResult, counted, fine, type Named } from '../../domain/health/check-result.ts';
import type { Watch } from '../../domain/watches/watch.ts';
import type { GroupMembers } from '../access/require-operator.ts';
import type { Workspace } from '../ports/workspace.ts';
import type { Check } from './examine.ts';

export interface ExamineMentionsParts {
  readonly store: { watches(): Promise<readonly Watch[]> };
  readonly workspace: Pick<Workspace, 'person' | 'userGroups'>;
  readonly groups: GroupMembers;
}

/** Slack answers a hundred user look-ups a minute, and others are under way. */
const MOST_ASKED = 40;

/** Checks that whom the watches mention can be alerted, and that each channel has somebody to mention. */
export function mentionsCheck(parts: ExamineMentionsParts): Check {
  return { subject: 'Mentions', look: () => lookAtMentions(parts) };
}

async function lookAtMentions(parts: ExamineMentionsParts): Promise<CheckResult[]> {
  const watches = await parts.store.watches();
  return [...(await lookAtMentioned(mentionedIn(watches), parts)), ...lookAtUnmentioned(watches)];
}

/** Somebody whom watches mention, and in which channels. */
interface Mentioned {
  readonly kind: 'person' | 'user-group';
  readonly id: string;
  readonly channels: readonly string[];
}

function mentionedIn(watches: readonly Watch[]): Mentioned[] {
  const all = new Map<string, Mentioned>();
  for (const { channel, settings } of watches) {
    if (settings.mention === null) continue;
    const { kind, id } = settings.mention;
    const channels = all.get(id)?.channels ?? [];
    all.set(id, { kind, id, channels: channels.includes(channel) ? channels : [...channels, channel] });
  }
  return [...all.values()];
}

async function lookAtMentioned(all: readonly Mentioned[], parts: ExamineMentionsParts): Promise<CheckResult[]> {
  if (all.length === 0) return [];
  const asked = all.slice(0, MOST_ASKED);
  const people = asked.filter(({ kind }) => kind === 'person');
  const groups = asked.filter(({ kind }) => kind === 'user-group');
  const troubles = (await Promise.all([personTroubles(people, parts), groupTroubles(groups, parts)])).flat();
  const checked = [
    ...(people.length === 0 ? [] : [counted(people.length, 'person', 'people')]),
    ...(groups.length === 0 ? [] : [counted(groups.length, 'user group')]),
  ].join(' and ');
  const left = all.length - asked.length;
  return [
    ...(troubles.length > 0 ? troubles : [fine('Mentions', `Watches mention ${checked}, all of them active.`)]),
    ...(left === 0 ? [] : [notAsked(left)]),
  ];
}

function notAsked(left: number): CheckResult {
  const were = left === 1 ? "mention wasn't" : "mentions weren't";
  return checkResult('unknown', 'Mentions', {
    what: `${left} more ${were} checked.`,
    next: '/notif watches shows whom the watches of a channel mention.',
  });
}

async function personTroubles(
  people: readonly Mentioned[],
  { workspace }: Pick<ExamineMentionsParts, 'workspace'>,
): Promise<CheckResult[]> {
  const found = await Promise.all(people.map(({ id }) => workspace.person(id)));
  return people
    .filter((_, index) => found[index] === null)
    .map((one) => trouble('A watch mentions somebody whose account is deactivated:', one, CHANGE_WATCH));
}

async function groupTroubles(
  groups: readonly Mentioned[],
  { workspace, groups: { membersOf } }: ExamineMentionsParts,
): Promise<CheckResult[]> {
  if (groups.length === 0) return [];
  const inUse = new Set((await workspace.userGroups()).map(({ id }) => id));
  const members = await Promise.all(groups.map(({ id }) => (inUse.has(id) ? membersOf(id) : null)));
  return groups.flatMap((one, index) => {
    if (!inUse.has(one.id))
      return [trouble('A watch mentions a user group that is no longer in use:', one, CHANGE_WATCH)];
    if (members[index]?.length !== 0) return [];
    return [
      trouble(
        'A watch mentions a user group without members:',
        one,
        'Add people to the group, or change the watch there: /notif watches, Edit.',
      ),
    ];
  });
}

const CHANGE_WATCH = 'Change the watch there: /notif watches, Edit.';

function trouble(what: string, { kind, id, channels }: Mentioned, next: string): CheckResult {
  const about: Named[] = [{ kind, id }, ...channels.map((channel) => ({ kind: 'channel', id: channel }) as const)];
  return checkResult('problem', 'Mentions', { what, about, next });
}

/** A direct message notifies its person without a mention. */
function lookAtUnmentioned(watches: readonly Watch[]): CheckResult[] {
  const channels = new Set(watches.map(({ channel }) => channel).filter((channel) => !channel.startsWith('D')));
  for (const { channel, settings } of watches) if (settings.mention !== null) channels.delete(channel);
  if (channels.size === 0) return [];
  return [
    checkResult('advice', 'Mentions', {
      what: 'No watch mentions anybody, so an alert notifies only those who turned on notifications for every message, in',
      about: [...channels].map((id) => ({ kind: 'channel', id })),
      next: 'Choose a person or a user group there: /notif watches, Edit. Or add mention:@oncall to /notif watch.',
    }),
  ];
}
