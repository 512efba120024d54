import { type CheckResult, type Concerned, checkResult, counted, fine } from '../../domain/health/check-result.ts';
import type { Watch } from '../../domain/watches/watch.ts';
import type { GroupMembers } from '../access/require-operator.ts';
import type { Workspace } from '../ports/workspace.ts';
import type { SetupCheck } from './examine.ts';
import { goneAmong, groupTroublesOf, MOST_ASKED } from './who-is-there.ts';

export interface ExamineMentionsParts {
  readonly store: { watches(): Promise<readonly Watch[]> };
  readonly workspace: Pick<Workspace, 'person' | 'userGroups'>;
  readonly groups: GroupMembers;
}

/** Checks that whom the watches mention can be alerted, and that each channel has somebody to mention. */
export function mentionsCheck(parts: ExamineMentionsParts): SetupCheck {
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
  const [gone, { unused, empty }] = await Promise.all([
    goneAmong(idsOf(people), parts.workspace),
    groupTroublesOf(idsOf(groups), parts),
  ]);
  const troubles = asked.flatMap((one) => {
    if (gone.includes(one.id)) return [trouble(GONE, one, CHANGE_WATCH)];
    if (unused.includes(one.id)) return [trouble(UNUSED, one, CHANGE_WATCH)];
    return empty.includes(one.id) ? [trouble(EMPTY, one, FILL_GROUP)] : [];
  });
  const checked = [
    ...(people.length === 0 ? [] : [counted(people.length, 'person', 'people')]),
    ...(groups.length === 0 ? [] : [counted(groups.length, 'user group')]),
  ].join(' and ');
  const left = all.length - asked.length;
  return [
    ...(troubles.length > 0
      ? troubles
      : [fine('Mentions', `Watches mention ${checked}, ${asked.length === 1 ? 'which is' : 'all of them'} active.`)]),
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

const idsOf = (all: readonly Mentioned[]): string[] => all.map(({ id }) => id);

const GONE = 'A watch mentions somebody whose account is deactivated:';
const UNUSED = 'A watch mentions a user group that is no longer in use:';
const EMPTY = 'A watch mentions a user group without members:';
const FILL_GROUP = 'Add people to the group, or change the watch there: /notif watches, Edit.';
const CHANGE_WATCH = 'Change the watch there: /notif watches, Edit.';

function trouble(what: string, { kind, id, channels }: Mentioned, next: string): CheckResult {
  const about: Concerned[] = [{ kind, id }, ...channels.map((channel) => ({ kind: 'channel', id: channel }) as const)];
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
