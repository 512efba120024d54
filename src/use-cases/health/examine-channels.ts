import type { Sharing } from '../../domain/access/shared-channel.ts';
import type { Environment } from '../../domain/environment.ts';
import { ALL_FAILURES } from '../../domain/failures/failure-filter.ts';
import { type CheckResult, type Concerned, checkResult, counted, fine } from '../../domain/health/check-result.ts';
import type { Watch } from '../../domain/watches/watch.ts';
import type { ChannelNow, Channels } from '../ports/channels.ts';
import { type SeenAnywhereStore, unseenAnywhere } from '../unseen-anywhere.ts';
import type { SetupCheck } from './examine.ts';
import { type ExamineMentionsParts, mentionsCheck } from './examine-mentions.ts';

export interface ExamineChannelsParts extends ExamineMentionsParts {
  readonly store: SeenAnywhereStore & {
    watches(): Promise<readonly Watch[]>;
  };
  readonly channels: Pick<Channels, 'ask'>;
  readonly environments: readonly Pick<Environment, 'name'>[];
}

/** Slack answers fifty channel lookups a minute. */
const MOST_ASKED = 40;

/** Checks the channels that get alerts, and whom they mention. */
export function channelChecks(parts: ExamineChannelsParts): SetupCheck[] {
  return [
    { subject: 'Watches', look: () => lookAtWatches(parts) },
    { subject: 'Watches', look: () => lookAtNames(parts) },
    mentionsCheck(parts),
  ];
}

async function lookAtWatches({ store, channels }: ExamineChannelsParts): Promise<CheckResult[]> {
  const watches = await store.watches();
  if (watches.length === 0) return [NO_WATCH];
  // A direct message exists as long as its user.
  const all = [...new Set(watches.map(({ channel }) => channel))].filter((channel) => /^[CG]/.test(channel));
  const asked = all.slice(0, MOST_ASKED);
  const known = await Promise.all(asked.map(async (id) => ({ id, now: await channels.ask(id) })));
  const troubles = known.flatMap(({ id, now }) => channelTrouble(id, now));
  const left = all.length - asked.length;
  const their = watches.length === 1 ? 'its channel' : 'their channels';
  const where = left === 0 ? their : `the ${asked.length} channels that were checked`;
  const isThere = fine('Watches', `${counted(watches.length, 'watch', 'watches')}. Notif is in ${where}.`);
  return [
    ...troubles,
    ...sharedChannels(known),
    ...(troubles.length > 0 ? [] : [isThere]),
    ...(left === 0 ? [] : [notChecked(left)]),
  ];
}

function notChecked(left: number): CheckResult {
  const what = left === 1 ? "1 more channel wasn't checked." : `${left} more channels weren't checked.`;
  return checkResult('unknown', 'Watches', { what, next: LOOK_THERE });
}

/** Finds watches for what is no longer there. A watch that an event can still fit names some workflow that was seen. */
async function lookAtNames({ store, environments }: ExamineChannelsParts): Promise<CheckResult[]> {
  const watches = await store.watches();
  const workflows = [...new Set(watches.flatMap(({ settings }) => settings.filter.workflows))];
  const unseen = new Set(
    (await unseenAnywhere({ ...ALL_FAILURES, workflows }, environments, store)).map(({ name }) => name),
  );
  const configured = environments.map(({ name }) => name);
  return watches.flatMap(({ channel, settings: { filter } }) => {
    const gone = filter.environments.filter((name) => !configured.includes(name));
    return [
      ...(gone.length === 0 ? [] : [noSuch('an environment that is not configured', gone, channel)]),
      ...(filter.workflows.length > 0 && filter.workflows.every((name) => unseen.has(name))
        ? [noSuch('a workflow that no event has', filter.workflows, channel)]
        : []),
    ];
  });
}

function noSuch(what: string, names: readonly string[], channel: string): CheckResult {
  return checkResult('advice', 'Watches', {
    what: `A watch is for ${what}:`,
    about: [...names.map((id) => ({ kind: 'word', id }) as const), { kind: 'channel', id: channel }],
    next: 'Change it there, or remove it: /notif watches.',
  });
}

const LOOK_THERE = 'A watch whose channel takes no messages ends by itself, and its creator gets a message.';

const NO_WATCH = checkResult('advice', 'Watches', {
  what: 'There is none: failures alert nobody.',
  next: 'Run /notif watch in a channel, or set NOTIF_DIGEST_CHANNEL.',
});

/** Returns what keeps Notif from posting in a channel; nothing if it can. */
function channelTrouble(channel: string, now: ChannelNow | null): CheckResult[] {
  const about: Concerned[] = [{ kind: 'channel', id: channel }];
  if (now === null) {
    return [
      checkResult('problem', 'Watches', {
        what: 'Slack knows no such channel, or it is private and Notif is not in it:',
        about,
        next: INVITE,
      }),
    ];
  }
  if (now.isArchived) {
    return [
      checkResult('problem', 'Watches', { what: 'Nothing can be posted in the archived', about, next: UNARCHIVE }),
    ];
  }
  return now.isMember ? [] : [checkResult('problem', 'Watches', { what: 'Notif is not in', about, next: INVITE })];
}

/** Finds the channels in which people of another organization can read Notif's posts, or soon can. */
function sharedChannels(channels: readonly { readonly id: string; readonly now: ChannelNow | null }[]): CheckResult[] {
  const advice = (sharing: Sharing, text: string): CheckResult[] => {
    const found = channels.filter(({ now }) => now?.sharing === sharing);
    const about = found.map(({ id }) => ({ kind: 'channel', id }) as const);
    return about.length === 0 ? [] : [checkResult('advice', 'Watches', { what: text, about, next: LEAVE_SHARED })];
  };
  return [
    ...advice('shared', 'People of other organizations can read the alerts in'),
    ...advice('pending', 'Another organization was invited. When it accepts, its people can read the alerts in'),
  ];
}

const LEAVE_SHARED = "If they shouldn't, use a channel of your own organization instead.";

const INVITE =
  'Invite it there: /invite @Notif. If the channel is gone, create the watch in another channel, or change the variable.';
const UNARCHIVE = 'Unarchive it, or create the watch in another channel, or change the variable.';
