import { blockedChannels } from '../digests/outbox.ts';
import type { Environment } from '../lib/environment.ts';
import { ServiceError } from '../lib/errors.ts';
import type { Operators, UserGroups } from '../lib/people.ts';
import { describeDuration } from '../lib/time/time-range.ts';
import type { Channels, Workspace } from '../lib/workspace.ts';
import { isSending } from '../lookups/integrations.ts';
import { isChannel, type TriggeredEvent } from '../service/event.ts';
import { type Integration, ownEnvironmentId } from '../service/lists.ts';
import type { NotificationService } from '../service/operations.ts';
import type { Call } from '../service/query.ts';
import { watches as allWatches } from '../watches/watches.ts';
import { explainReading, explainServiceProblem } from './explain.ts';
import { judgeHeartbeat, lastHeartbeat } from './heartbeat.ts';
import { differingVariables } from './replicas.ts';
import { reportStatus, type Status, type StatusCtx } from './status.ts';
import { STORE_TROUBLES } from './store-trouble.ts';

export interface DoctorCtx extends StatusCtx {
  serviceOf: (environment: string) => NotificationService;
  channels: Pick<Channels, 'isPublic' | 'ask'>;
  workspace: Pick<Workspace, 'isActive' | 'userGroups'>;
  groups: UserGroups;
  operators: Operators;
  tokenChecks: { bot(): Promise<TokenCheck>; app: (() => Promise<TokenCheck>) | null };
  neededScopes: readonly string[];
  hasHeartbeat: boolean;
  warnings: readonly { variable: string; warning: string }[];
  sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
}

export type TokenCheck =
  | { is: 'taken'; scopes: readonly string[] | null; clockAheadMs: number | null }
  | { is: 'refused'; variable: string; word: string; next: string };

export interface Check {
  subject: string;
  look(signal: AbortSignal): Promise<readonly Finding[]>;
}

export interface Checked {
  subject: string;
  findings: readonly Finding[];
}

export function examineSetUp(ctx: DoctorCtx): Promise<Checked[]> {
  const status = reportStatus(ctx);
  const { app } = ctx.tokenChecks;
  return runChecks(
    [
      { subject: 'Bot token', look: () => botToken(ctx) },
      ...(app === null ? [] : [{ subject: 'App token', look: async () => refusal(await app()) }]),
      { subject: 'Watches', look: () => watches(ctx) },
      { subject: 'Mentions', look: () => mentions(ctx) },
      { subject: 'Operators', look: () => operators(ctx) },
      ...ctx.environments.map((environment) => ({
        subject: `${environment.label}: Service`,
        look: (signal: AbortSignal) => service(environment, ctx, signal),
      })),
      { subject: 'Polling', look: async () => polling(await status) },
      { subject: 'Messages', look: async () => messages(await status, ctx) },
      { subject: 'Database', look: async () => database(await status) },
      { subject: 'Heartbeat', look: () => heartbeat(ctx) },
      { subject: 'Settings', look: () => settings(ctx) },
    ],
    ctx,
  );
}

const LONGEST_MS = 10_000;

export async function runChecks(
  all: readonly Check[],
  { sleep, logger }: Pick<DoctorCtx, 'sleep' | 'logger'>,
): Promise<Checked[]> {
  const tooLong = new AbortController();
  const done = new AbortController();
  const waiting = sleep(LONGEST_MS, done.signal).then(() => {
    tooLong.abort();
    return [unknown('This took longer than 10 s.', 'Try again in a minute.')];
  });
  const run = async ({ subject, look }: Check): Promise<Checked> => {
    const looking = look(tooLong.signal).catch((err: unknown) => {
      logger.warn({ err, subject }, 'Check of the setup failed');
      const next = 'Fix the other problems, then try again; if this persists, the log says why.';
      return [unknown("This check couldn't run.", next)];
    });
    return { subject, findings: await Promise.race([looking, waiting]) };
  };
  const checked = await Promise.all(all.map(run));
  done.abort();
  return checked;
}

export interface Finding {
  is: 'problem' | 'unknown' | 'advice';
  what: string;
  about: readonly Concerned[];
  next: string;
}

export interface Concerned {
  kind: 'channel' | 'person' | 'user-group' | 'word';
  id: string;
}

const found =
  (is: Finding['is']) =>
  (what: string, next: string, about: readonly Concerned[] = []): Finding => ({ is, what, next, about });
export const problem = found('problem');
const unknown = found('unknown');
export const advice = found('advice');

const words = (ids: readonly string[]): Concerned[] => ids.map((id) => ({ kind: 'word', id }));
const channels = (ids: readonly string[]): Concerned[] => ids.map((id) => ({ kind: 'channel', id }));

const REINSTALL = 'Paste the manifest again under App Manifest of the Slack app, and reinstall it.';

async function botToken({ tokenChecks, neededScopes }: DoctorCtx): Promise<Finding[]> {
  const check = await tokenChecks.bot();
  if (check.is === 'refused') return refusal(check);
  const { scopes } = check;
  const missing = scopes === null ? [] : neededScopes.filter((scope) => !scopes.includes(scope));
  const ntp = 'Set the clock of the machine by a time server (NTP).';
  return [
    ...missing.map((scope) => problem(`${scope} was not granted.`, REINSTALL)),
    ...clock("Notif's clock", "Slack's", -(check.clockAheadMs ?? 0), ntp),
  ];
}

function refusal(check: TokenCheck): Finding[] {
  if (check.is === 'taken') return [];
  const { variable, word, next } = check;
  const todo = `${next.charAt(0).toUpperCase()}${next.slice(1)}, then restart Notif.`;
  return [problem(`Slack refuses ${variable} with ${word}.`, todo)];
}

/** Slack's signatures fail at five minutes. */
const CLOCK_OFF_MS = 30_000;

function clock(which: string, other: string, aheadMs: number, next: string): Finding[] {
  if (Math.abs(aheadMs) < CLOCK_OFF_MS) return [];
  return [problem(`${clockWords(which, other, aheadMs)}.`, next)];
}

export function clockWords(which: string, other: string, aheadMs: number): string {
  return `${which} is ${describeDuration(Math.abs(aheadMs))} ${aheadMs > 0 ? 'ahead of' : 'behind'} ${other}`;
}

/** Slack answers a hundred user lookups a minute. */
const MOST_ASKED = 40;

const isChannelId = (id: string) => /^[CG]/.test(id);

async function watches({ db, channels: slack }: DoctorCtx): Promise<Finding[]> {
  const watched = new Set((await allWatches(db)).map(({ channel }) => channel));
  if (watched.size === 0) {
    const next = 'Run /notif watch in a channel, or set NOTIF_DIGEST_CHANNEL.';
    return [advice('There is none: failures alert nobody.', next)];
  }
  const asked = [...watched].filter(isChannelId).slice(0, MOST_ASKED);
  const answers = await Promise.all(asked.map(async (id) => ({ here: channels([id]), now: await slack.ask(id) })));
  return answers.flatMap(({ here, now }) => {
    if (!now?.isMember) return [problem("Notif isn't in the channel, or it doesn't exist:", INVITE, here)];
    if (now.isArchived) return [problem('Nothing can be posted in the archived', UNARCHIVE, here)];
    if (now.sharing !== 'shared' && now.sharing !== 'pending') return [];
    return [advice('Another organization can read the alerts, or is invited, in', INSIDE, here)];
  });
}

const INVITE = '/invite @Notif there, or create the watch in another channel.';
const UNARCHIVE = 'Unarchive it, or create the watch in another channel.';
const INSIDE = "If it shouldn't, use another channel.";

async function unreachable(ids: readonly string[], { workspace, groups }: DoctorCtx) {
  const asked = [...new Set(ids)].slice(0, MOST_ASKED);
  const inUse = asked.some(isGroup) ? (await workspace.userGroups()).map(({ id }) => id) : [];
  const checked = asked.map(async (id): Promise<[id: string, why: string] | null> => {
    if (!isGroup(id)) return (await workspace.isActive(id)) === false ? [id, 'has no active account'] : null;
    const isEmpty = !inUse.includes(id) || (await groups.membersOf(id)).length === 0;
    return isEmpty ? [id, 'is no user group in use, or has no members'] : null;
  });
  return new Map((await Promise.all(checked)).filter((lost) => lost !== null));
}

const isGroup = (id: string) => id.startsWith('S');

async function mentions(ctx: DoctorCtx): Promise<Finding[]> {
  const mentioning = (await allWatches(ctx.db)).flatMap(({ channel, settings: { mention } }) =>
    mention === null ? [] : [{ channel, mention }],
  );
  const lost = await unreachable(
    mentioning.map(({ mention }) => mention.id),
    ctx,
  );
  const next = 'Change the watch there: /notif watches, Edit.';
  return mentioning.flatMap(({ channel, mention }) => {
    const why = lost.get(mention.id);
    const about = [mention, ...channels([channel])];
    return why === undefined ? [] : [problem(`A watch mentions somebody that ${why}:`, next, about)];
  });
}

async function operators(ctx: DoctorCtx): Promise<Finding[]> {
  const { operators: configured } = ctx;
  if (configured.who === 'everybody') return [];
  if (configured.who === 'nobody') {
    const what = "Sending tests and changing credentials are off: NOTIF_OPERATORS isn't set.";
    return [advice(what, 'Set it to IDs of people (U…) and user groups (S…), and restart Notif.')];
  }
  const next = 'Fix NOTIF_OPERATORS and restart Notif, or add people to the group.';
  const lost = await unreachable([...configured.users, ...configured.groups], ctx);
  return [...lost].map(([id, why]) => problem(`NOTIF_OPERATORS names an ID that ${why}:`, next, words([id])));
}

const EVENTS_READ = 50;

async function service(environment: Environment, { serviceOf }: DoctorCtx, signal: AbortSignal) {
  const { listEvents, listIntegrations, clockAheadMs } = serviceOf(environment.name);
  const call: Call = { who: 'person', signal };
  try {
    const events = await listEvents({ limit: EVENTS_READ }, call);
    const { items } = await listIntegrations(call);
    const unreadable = `${events.unreadable.length} of the newest ${EVENTS_READ} events couldn't be read.`;
    const fields = "The log names the fields: contact the service's owners.";
    const set = "Set the machine's clock, or contact the service's owners.";
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

function integrations(events: readonly TriggeredEvent[], listed: readonly Integration[]): Finding[] {
  const named = events.find(({ serviceEnvironmentId }) => serviceEnvironmentId !== null)?.serviceEnvironmentId ?? null;
  const home = ownEnvironmentId(listed, named);
  if (home === null) return [];
  const known = listed.filter(({ serviceEnvironmentId, deleted }) => serviceEnvironmentId === home && !deleted);
  const sending = known.filter(isSending);
  const namesOf = (integrations: readonly Integration[]) => words(integrations.map(({ name }) => name));
  const used = new Set(events.flatMap(({ jobs }) => jobs.map(({ type }) => type)).filter(isChannel));
  const unserved = [...used].filter((channel) => !sending.some((integration) => integration.channel === channel));
  const deaf = sending.filter(({ channel, inboundWebhook }) => channel === 'email' && inboundWebhook === false);
  const add = "Add or activate one in the service's dashboard.";
  const webhook = "Turn its inbound webhook on in the service's dashboard, and enter it at the provider.";
  return [
    ...unserved.map((channel) => {
      const inactive = known.filter((integration) => integration.channel === channel);
      return problem(`Workflows send by ${channel}, but no integration for it is active.`, add, namesOf(inactive));
    }),
    ...(deaf.length === 0 ? [] : [advice('Bounces are never reported for email sent with', webhook, namesOf(deaf))]),
  ];
}

function polling({ environments, at }: Status): Finding[] {
  return environments.flatMap((environment) => {
    const explained = explainReading(environment, at);
    if (explained === null) return [];
    const next = explained.next === '' ? 'It fixes itself: /notif status shows how far it is.' : explained.next;
    const isStopped = ['failing', 'waits-for-store', 'silent'].includes(environment.condition);
    return [(isStopped ? problem : advice)(`${environment.environment.label}: ${explained.what}`, next)];
  });
}

const HELD_UP_MS = 5 * 60_000;
const SEE_LOG = "Look for Slack's answer, Loop failed or Loop timed out in the log (docs/runbook.md).";
const LET_IN = 'Unarchive the channel, /invite @Notif and let it post, or change NOTIF_DIGEST_CHANNEL.';
const EDIT_LET_IN = 'Unarchive the channel, or invite Notif. edit_window_closed: the workspace limits edits.';

async function messages({ store, behind, at }: Status, { db }: DoctorCtx): Promise<Finding[]> {
  if (store === null) return [];
  const { backlog, trouble, editRefusals } = store;
  const blocked = backlog.waiting === 0 ? [] : await blockedChannels(db);
  const waitedMs = (since: Date | null) => at.getTime() - (since ?? at).getTime();
  const heldUpMs = waitedMs(backlog.oldestHeldUp);
  const stalled = [
    ...(heldUpMs < HELD_UP_MS ? [] : [`The oldest message waits for ${describeDuration(heldUpMs)}.`]),
    ...behind.map(({ name, delays }) => `${delays} are behind: ${name} has not succeeded lately.`),
  ];
  return [
    ...(trouble === null ? stalled.map((what) => problem(what, SEE_LOG)) : []),
    ...blocked.map(({ channel, reason, messages: count, oldest }) => {
      const waiting = `messages that wait: ${count}, for ${describeDuration(waitedMs(oldest))}.`;
      return problem(`Notif can't post (${reason}); ${waiting}`, LET_IN, channels([channel].filter(isChannelId)));
    }),
    ...editRefusals.map(({ channel, reason }) => {
      const what = `Slack refuses edits here (${reason}), so counts in posted messages don't update:`;
      return advice(what, EDIT_LET_IN, channels([channel]));
    }),
  ];
}

const SLOW_MS = 1_000;

function database({ store }: Status): Finding[] {
  const trouble = store === null ? 'not-answering' : store.trouble;
  if (trouble !== null) {
    const { what, next } = STORE_TROUBLES[trouble];
    return [problem(`${what} No events are checked and no alerts sent.`, next)];
  }
  if (store === null || store.answeredInMs < SLOW_MS) return [];
  return [advice(`It took ${store.answeredInMs} ms to answer.`, 'See what keeps its machine busy.')];
}

async function heartbeat({ hasHeartbeat, db, pollMs, running, now }: DoctorCtx): Promise<Finding[]> {
  if (!hasHeartbeat) {
    const next = "Set it to the address of a dead man's switch.";
    return [advice("Nobody is woken when Notif itself dies: NOTIF_HEARTBEAT_URL isn't set.", next)];
  }
  const trouble = judgeHeartbeat(await lastHeartbeat(db), running.startedAt, pollMs, now());
  return trouble === null ? [] : [problem(trouble.what, trouble.next)];
}

async function settings({ warnings, db, now }: DoctorCtx): Promise<Finding[]> {
  const next = 'docs/configuration.md describes every variable.';
  const differing = await differingVariables(db, now());
  const same = 'Start all of them with the same values. What has ended counts for three minutes.';
  return [
    ...warnings.map(({ variable, warning }) => advice(`${variable} ${warning}.`, next)),
    ...(differing.length === 0 ? [] : [problem('Replicas are configured differently:', same, words(differing))]),
  ];
}
