import type { Operators } from '../../domain/access/operators.ts';
import type { Sharing } from '../../domain/access/shared-channel.ts';
import { missingScopes } from '../../domain/health/missing-scopes.ts';
import type { TokenCheck, TokenChecks } from '../../domain/health/token-check.ts';
import { describeDuration } from '../../domain/time/time-range.ts';
import type { Watch } from '../../domain/watches/watch.ts';
import type { GroupMembers } from '../access/require-operator.ts';
import type { Channels } from '../ports/channels.ts';
import type { Workspace } from '../ports/workspace.ts';
import { advice, type Check, channels, type Finding, problem, words } from './check.ts';

/** Slack answers a hundred user lookups a minute, and others are under way. */
const MOST_ASKED = 40;

async function goneAmong(ids: readonly string[], workspace: Pick<Workspace, 'person'>): Promise<string[]> {
  const people = await Promise.all(ids.map((id) => workspace.person(id)));
  return ids.filter((_, index) => people[index] === null);
}

async function groupTroublesOf(
  ids: readonly string[],
  { workspace, groups }: { readonly workspace: Pick<Workspace, 'userGroups'>; readonly groups: GroupMembers },
): Promise<{ unused: string[]; empty: string[] }> {
  if (ids.length === 0) return { unused: [], empty: [] };
  const inUse = new Set((await workspace.userGroups()).map(({ id }) => id));
  const used = ids.filter((id) => inUse.has(id));
  const members = await Promise.all(used.map((id) => groups.membersOf(id)));
  return {
    unused: ids.filter((id) => !inUse.has(id)),
    empty: used.filter((_, index) => members[index]?.length === 0),
  };
}

export interface SlackChecksParts {
  readonly tokenChecks: TokenChecks;
  readonly neededScopes: Readonly<Record<string, string>>;
  readonly store: { watches(): Promise<readonly Watch[]> };
  readonly channels: Pick<Channels, 'ask'>;
  readonly operators: Operators;
  readonly workspace: Pick<Workspace, 'person' | 'userGroups'>;
  readonly groups: GroupMembers;
}

export function slackChecks(parts: SlackChecksParts): Check[] {
  const { app } = parts.tokenChecks;
  return [
    { subject: 'Bot token', look: () => botToken(parts) },
    ...(app === null ? [] : [{ subject: 'App token', look: async () => refusal(await app()) }]),
    { subject: 'Watches', look: () => watchedChannels(parts) },
    { subject: 'Mentions', look: () => mentions(parts) },
    { subject: 'Operators', look: () => operators(parts) },
  ];
}

const REINSTALL =
  'Paste the manifest again under App Manifest of the Slack app, save, and reinstall the app to the workspace.';

/** A clock that is further off shows people wrong times; at five minutes off, the signatures of Slack's requests fail. */
export const CLOCK_OFF_MS = 30_000;

async function botToken({ tokenChecks, neededScopes }: SlackChecksParts): Promise<Finding[]> {
  const check = await tokenChecks.bot();
  if (check.is === 'refused') return refusal(check);
  const missing = check.scopes === null ? [] : missingScopes(check.scopes, neededScopes);
  const aheadMs = check.clockAheadMs ?? 0;
  const off = `Notif's clock is ${describeDuration(Math.abs(aheadMs))} ${aheadMs > 0 ? 'behind' : 'ahead of'} Slack's.`;
  return [
    ...missing.map(({ scope, use }) => problem(`${scope} was not granted. It is needed for ${use}.`, REINSTALL)),
    ...(Math.abs(aheadMs) < CLOCK_OFF_MS ? [] : [problem(off, 'Set the clock of the machine by a time server (NTP).')]),
  ];
}

function refusal(check: TokenCheck): Finding[] {
  if (check.is === 'taken') return [];
  const { variable, word, next } = check;
  const todo = `${next.charAt(0).toUpperCase()}${next.slice(1)}, then restart Notif.`;
  return [problem(`Slack refuses ${variable} with ${word}.`, todo)];
}

const INVITE = 'Invite it there: /invite @Notif. If the channel is gone, create the watch in another one.';

const READ_BY_OTHERS: { readonly [S in Sharing]?: string } = {
  shared: 'People of other organizations can read the alerts in',
  pending: 'Another organization was invited. When it accepts, its people can read the alerts in',
};
const KEEP_INSIDE = "If they shouldn't, use a channel of your own organization instead.";

async function watchedChannels(parts: SlackChecksParts): Promise<Finding[]> {
  const watches = await parts.store.watches();
  if (watches.length === 0) {
    const next = 'Run /notif watch in a channel, or set NOTIF_DIGEST_CHANNEL.';
    return [advice('There is none: failures alert nobody.', next)];
  }
  // A direct message exists as long as its user.
  const watched = [...new Set(watches.map(({ channel }) => channel))].filter((channel) => /^[CG]/.test(channel));
  const found = await Promise.all(
    watched.slice(0, MOST_ASKED).map(async (id) => ({ id, now: await parts.channels.ask(id) })),
  );
  return found.flatMap(({ id, now }) => {
    if (now === null) {
      const what = 'Slack knows no such channel, or it is private and Notif is not in it:';
      return [problem(what, INVITE, channels([id]))];
    }
    if (now.isArchived) {
      const next = 'Unarchive it, or create the watch in another channel.';
      return [problem('Nothing can be posted in the archived', next, channels([id]))];
    }
    if (!now.isMember) return [problem('Notif is not in', INVITE, channels([id]))];
    const readers = READ_BY_OTHERS[now.sharing];
    return readers === undefined ? [] : [advice(readers, KEEP_INSIDE, channels([id]))];
  });
}

const CHANGE_WATCH = 'Change the watch there: /notif watches, Edit.';

async function mentions(parts: SlackChecksParts): Promise<Finding[]> {
  const mentioned = (await parts.store.watches()).flatMap(({ channel, settings: { mention } }) =>
    mention === null ? [] : [{ ...mention, channel }],
  );
  const idsOf = (kind: 'person' | 'user-group') =>
    [...new Set(mentioned.filter((one) => one.kind === kind).map(({ id }) => id))].slice(0, MOST_ASKED);
  const [gone, { unused, empty }] = await Promise.all([
    goneAmong(idsOf('person'), parts.workspace),
    groupTroublesOf(idsOf('user-group'), parts),
  ]);
  const found = (what: string, ids: readonly string[]) =>
    mentioned
      .filter(({ id }) => ids.includes(id))
      .map(({ kind, id, channel }) => problem(what, CHANGE_WATCH, [{ kind, id }, ...channels([channel])]));
  return [
    ...found('A watch mentions somebody whose account is deactivated:', gone),
    ...found('A watch mentions a user group that is no longer in use:', unused),
    ...found('A watch mentions a user group without members:', empty),
  ];
}

async function operators(parts: SlackChecksParts): Promise<Finding[]> {
  const { operators: configured, workspace } = parts;
  if (configured.who === 'everybody') return [];
  if (configured.who === 'nobody') {
    const what = "Sending tests and changing credentials are off: NOTIF_OPERATORS isn't set.";
    return [advice(what, 'Set it to the Slack IDs of people (U…) and user groups (S…), and restart Notif.')];
  }
  const [gone, { unused, empty }] = await Promise.all([
    goneAmong(configured.users.slice(0, MOST_ASKED), workspace),
    groupTroublesOf(configured.groups, parts),
  ]);
  const found = (what: string, ids: readonly string[], next: string) =>
    ids.length === 0 ? [] : [problem(what, next, words(ids))];
  const fix = 'Take them out of NOTIF_OPERATORS, or fix their IDs, and restart Notif.';
  return [
    ...found('Slack knows no active person with the ID', gone, fix),
    ...found('No user group in use has the ID', unused, fix),
    ...found('Nobody is in the user group', empty, 'Add people to the group; Notif picks it up within five minutes.'),
  ];
}
