import { blockedChannels } from '../digests/outbox.ts';
import type { Environment } from '../lib/environment.ts';
import { ServiceError } from '../lib/errors.ts';
import { describeDuration } from '../lib/time/time-range.ts';
import { isSending } from '../lookups/integrations.ts';
import { isChannel, type TriggeredEvent } from '../service/event.ts';
import { type Integration, ownEnvironmentId } from '../service/integration.ts';
import type { Call } from '../service/query.ts';
import type { WatchEnd } from '../watches/settings.ts';
import { watches as allWatches } from '../watches/watches.ts';
import type { DoctorCtx, TokenCheck } from './doctor.ts';
import { explainReading, explainServiceProblem } from './explain.ts';
import { judgeHeartbeat, lastHeartbeat } from './heartbeat.ts';
import type { ReadingCondition, Status } from './status.ts';
import { STORE_TROUBLES } from './store-trouble.ts';

export interface Finding {
  readonly is: 'problem' | 'unknown' | 'advice';
  readonly what: string;
  readonly about: readonly Concerned[];
  readonly next: string;
}

export interface Concerned {
  readonly kind: 'channel' | 'person' | 'user-group' | 'word';
  readonly id: string;
}

const found =
  (is: Finding['is']) =>
  (what: string, next: string, about: readonly Concerned[] = []): Finding => ({ is, what, next, about });
export const problem = found('problem');
export const advice = found('advice');
export const unknown = found('unknown');

const words = (ids: readonly string[]): Concerned[] => ids.map((id) => ({ kind: 'word', id }));
const channels = (ids: readonly string[]): Concerned[] => ids.map((id) => ({ kind: 'channel', id }));

const REINSTALL =
  'Paste the manifest again under App Manifest of the Slack app, save, and reinstall the app to the workspace.';

export async function botToken({ tokenChecks, neededScopes }: DoctorCtx): Promise<Finding[]> {
  const check = await tokenChecks.bot();
  if (check.is === 'refused') return refusal(check);
  const missing = check.scopes === null ? [] : missingScopes(check.scopes, neededScopes);
  const ntp = 'Set the clock of the machine by a time server (NTP).';
  return [
    ...missing.map(({ scope, use }) => problem(`${scope} was not granted. It is needed for ${use}.`, REINSTALL)),
    ...clock("Notif's clock", "Slack's", -(check.clockAheadMs ?? 0), ntp),
  ];
}

export function missingScopes(granted: readonly string[], needed: Readonly<Record<string, string>>) {
  return Object.entries(needed).flatMap(([scope, use]) => (granted.includes(scope) ? [] : [{ scope, use }]));
}

export function refusal(check: TokenCheck): Finding[] {
  if (check.is === 'taken') return [];
  const { variable, word, next } = check;
  const todo = `${next.charAt(0).toUpperCase()}${next.slice(1)}, then restart Notif.`;
  return [problem(`Slack refuses ${variable} with ${word}.`, todo)];
}

/** A clock that is further off shows people wrong times; at five minutes off, the signatures of Slack's requests fail. */
const CLOCK_OFF_MS = 30_000;

function clock(which: string, other: string, aheadMs: number, next: string): Finding[] {
  if (Math.abs(aheadMs) < CLOCK_OFF_MS) return [];
  const off = `${describeDuration(Math.abs(aheadMs))} ${aheadMs > 0 ? 'ahead of' : 'behind'}`;
  return [problem(`${which} is ${off} ${other}.`, next)];
}

/** Slack answers a hundred user lookups a minute, and others are under way. */
const MOST_ASKED = 40;

/** The recipient of a direct message is no channel: it exists as long as its user. */
const isChannelId = (id: string) => /^[CG]/.test(id);

export async function watches(parts: DoctorCtx): Promise<Finding[]> {
  const watched = new Set((await allWatches(parts.db)).map(({ channel }) => channel));
  if (watched.size === 0) {
    const next = 'Run /notif watch in a channel, or set NOTIF_DIGEST_CHANNEL.';
    return [advice('There is none: failures alert nobody.', next)];
  }
  const asked = [...watched].filter(isChannelId).slice(0, MOST_ASKED);
  return (await Promise.all(asked.map((id) => watchedChannel(id, parts)))).flat();
}

const INVITE = 'Invite it there: /invite @Notif. If the channel is gone, create the watch in another one.';

async function watchedChannel(id: string, { channels: slack }: DoctorCtx): Promise<Finding[]> {
  const here = channels([id]);
  const now = await slack.ask(id);
  if (now === null || !now.isMember) return [problem("Notif isn't in the channel, or it doesn't exist:", INVITE, here)];
  const recreate = 'Unarchive it, or create the watch in another channel.';
  if (now.isArchived) return [problem('Nothing can be posted in the archived', recreate, here)];
  if (now.sharing !== 'shared' && now.sharing !== 'pending') return [];
  const inside = "If they shouldn't, use a channel of your own organization instead.";
  return [advice('Another organization is in the channel, or invited, and can read the alerts in', inside, here)];
}

/** Of people and user groups, returns a problem for each that reaches nobody. */
async function unreachable(users: readonly string[], groupIds: readonly string[], ctx: DoctorCtx) {
  const people = users.slice(0, MOST_ASKED);
  const active = await Promise.all(people.map((id) => ctx.workspace.isActive(id)));
  const inUse = new Set(groupIds.length === 0 ? [] : (await ctx.workspace.userGroups()).map(({ id }) => id));
  const used = groupIds.filter((id) => inUse.has(id)).slice(0, MOST_ASKED);
  const members = await Promise.all(used.map((id) => ctx.groups.membersOf(id)));
  return [
    ...people.filter((_, index) => active[index] === false).map((id) => ({ id, why: 'has no active account' })),
    ...groupIds.filter((id) => !inUse.has(id)).map((id) => ({ id, why: 'is no user group in use' })),
    ...used
      .filter((_, index) => members[index]?.length === 0)
      .map((id) => ({ id, why: 'is a user group without members' })),
  ];
}

export async function mentions(ctx: DoctorCtx): Promise<Finding[]> {
  const all = (await allWatches(ctx.db)).flatMap(({ channel, settings: { mention } }) =>
    mention === null ? [] : [{ ...mention, channel }],
  );
  const idsOf = (wanted: 'person' | 'user-group') => [
    ...new Set(all.flatMap(({ kind, id }) => (kind === wanted ? [id] : []))),
  ];
  const gone = await unreachable(idsOf('person'), idsOf('user-group'), ctx);
  const next = 'Change the watch there: /notif watches, Edit.';
  return all.flatMap(({ kind, id, channel }) =>
    gone
      .filter((lost) => lost.id === id)
      .map(({ why }) =>
        problem(`A watch mentions somebody that ${why}:`, next, [{ kind, id }, ...channels([channel])]),
      ),
  );
}

export async function operators(ctx: DoctorCtx): Promise<Finding[]> {
  const { operators: configured } = ctx;
  if (configured.who === 'everybody') return [];
  if (configured.who === 'nobody') {
    const what = "Sending tests and changing credentials are off: NOTIF_OPERATORS isn't set.";
    return [advice(what, 'Set it to the Slack IDs of people (U…) and user groups (S…), and restart Notif.')];
  }
  const next = 'Fix NOTIF_OPERATORS and restart Notif, or add people to the group.';
  const gone = await unreachable(configured.users, configured.groups, ctx);
  return gone.map(({ id, why }) => problem(`NOTIF_OPERATORS names an ID that ${why}:`, next, words([id])));
}

const EVENTS_READ = 50;

export async function service(environment: Environment, { serviceOf }: DoctorCtx, signal: AbortSignal) {
  const { listEvents, listIntegrations, clockAheadMs } = serviceOf(environment.name);
  const call: Call = { who: 'person', signal };
  try {
    const events = await listEvents({ limit: EVENTS_READ }, call);
    const { items } = await listIntegrations(call);
    const unreadable = `${events.unreadable.length} of the newest ${EVENTS_READ} events couldn't be read.`;
    const fields = "The log says which fields aren't what the contract says: contact the service's owners.";
    const set =
      "If Slack's clock agrees with Notif's, contact the service's owners; otherwise set the machine's clock.";
    return [
      ...(events.unreadable.length === 0 ? [] : [advice(unreadable, fields)]),
      ...clock("The service's clock", "Notif's", clockAheadMs() ?? 0, set),
      ...integrations(events.items, items),
    ];
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    const { what, next } = explainServiceProblem(error, environment);
    return [problem(what, next)];
  }
}

/** Each channel in the newest events needs an active integration, and bounces of emails come only by an inbound webhook. */
function integrations(events: readonly TriggeredEvent[], listed: readonly Integration[]): Finding[] {
  const named = events.find(({ serviceEnvironmentId }) => serviceEnvironmentId !== null)?.serviceEnvironmentId ?? null;
  const home = ownEnvironmentId(listed, named);
  if (home === null) return [];
  const known = listed.filter((one) => one.serviceEnvironmentId === home && !one.deleted);
  const used = new Set(events.flatMap(({ jobs }) => jobs.map(({ type }) => type)).filter(isChannel));
  const unserved = [...used].filter((channel) => !known.some((one) => one.channel === channel && isSending(one)));
  // A service that doesn't mention the webhook may well have one.
  const deaf = known.filter((one) => one.channel === 'email' && isSending(one) && one.inboundWebhook === false);
  const webhook = "Turn its inbound webhook on in the service's dashboard, and enter the address at the provider.";
  return [
    ...unserved.map((channel) =>
      problem(
        `Workflows send by ${channel}, but no integration for it is active.`,
        "Add or activate one in the service's dashboard.",
        words(known.filter((one) => one.channel === channel).map(({ name }) => name)),
      ),
    ),
    ...(deaf.length === 0
      ? []
      : [advice('Bounces are never reported for email sent with', webhook, words(deaf.map(({ name }) => name)))]),
  ];
}

const WRONG: readonly ReadingCondition[] = ['failing', 'waits-for-store', 'silent'];

export function polling({ environments, at }: Status): Finding[] {
  return environments.flatMap((environment) => {
    const explained = explainReading(environment, at);
    if (explained === null) return [];
    const next = explained.next === '' ? 'It fixes itself: /notif status shows how far it is.' : explained.next;
    const finding = WRONG.includes(environment.condition) ? problem : advice;
    return [finding(`${environment.environment.label}: ${explained.what}`, next)];
  });
}

/** Slack takes a message it can accept within this time. */
const HELD_UP_MS = 5 * 60_000;
const SEE_LOG =
  "Look for Slack's answer to a message's post, Loop failed or Loop timed out in the log; docs/runbook.md says what to do.";

export async function messages({ store, behind, at }: Status, parts: DoctorCtx): Promise<Finding[]> {
  if (store === null) return [];
  const { backlog, trouble, editRefusals } = store;
  const blocked = backlog.waiting === 0 ? [] : await blockedChannels(parts.db);
  const waitedMs = (since: Date | null) => at.getTime() - (since ?? at).getTime();
  const heldUpMs = waitedMs(backlog.oldestHeldUp);
  const stalled = [
    ...(heldUpMs < HELD_UP_MS ? [] : [problem(`The oldest message waits for ${describeDuration(heldUpMs)}.`, SEE_LOG)]),
    ...behind.map(({ name, delays }) => problem(`${delays} are behind: ${name} has not succeeded lately.`, SEE_LOG)),
  ];
  return [
    ...(trouble === null ? stalled : []),
    ...blocked.map(({ channel, reason, messages: count, oldest }) => {
      const { why, next } = BLOCKS[reason];
      return problem(
        `${why}, for ${describeDuration(waitedMs(oldest))}; messages that wait: ${count}.`,
        `${next}, or set another channel in NOTIF_DIGEST_CHANNEL. Notif goes on trying.`,
        channels([channel].filter(isChannelId)),
      );
    }),
    ...editRefusals.map(({ channel, reason }) =>
      advice(
        `Slack refuses edits here (${reason}), so counts in posted messages don't update:`,
        'Unarchive the channel, or invite Notif there. edit_window_closed: the workspace limits how long messages can be edited.',
        channels([channel]),
      ),
    ),
  ];
}

const BLOCKS: Readonly<Record<WatchEnd, Readonly<Record<'why' | 'next', string>>>> = {
  'channel-archived': { why: 'The channel is archived', next: 'Unarchive it' },
  'channel-left': { why: "Notif isn't in the channel", next: 'Run /invite @Notif there' },
  'channel-unknown': { why: "Slack doesn't know the channel, or Notif isn't in it", next: 'Run /invite @Notif there' },
  'channel-restricted': { why: "The channel's posting permissions keep Notif out", next: 'Let Notif post there' },
};

/** A statement normally takes a few milliseconds. */
const SLOW_MS = 1_000;

export function database({ store }: Status): Finding[] {
  const effect = 'No events are checked and no alerts sent.';
  if (store === null) return [problem(`It isn't responding. ${effect}`, STORE_TROUBLES['not-answering'].next)];
  if (store.trouble !== null) {
    const { what, next } = STORE_TROUBLES[store.trouble];
    return [problem(`${what} ${effect}`, next)];
  }
  if (store.answeredInMs < SLOW_MS) return [];
  return [advice(`It took ${store.answeredInMs} ms to answer.`, 'See what keeps its machine busy.')];
}

export async function heartbeat({ hasHeartbeat, db, pollMs, running, now }: DoctorCtx): Promise<Finding[]> {
  if (!hasHeartbeat) {
    const next = "Set it to the address of a dead man's switch that raises an alarm when the calls stop.";
    return [advice("Nobody is woken when Notif itself dies: NOTIF_HEARTBEAT_URL isn't set.", next)];
  }
  const trouble = judgeHeartbeat(await lastHeartbeat(db), running.startedAt, pollMs, now());
  return trouble === null ? [] : [problem(trouble.what, trouble.next)];
}

export function settings({ warnings }: DoctorCtx): Finding[] {
  const next = 'docs/configuration.md describes every variable.';
  return warnings.map(({ variable, warning }) => advice(`${variable} ${warning}.`, next));
}
