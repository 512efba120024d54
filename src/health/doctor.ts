import { max } from 'date-fns';
import type { Environment } from '../lib/environment.ts';
import { orServiceError, ServiceError } from '../lib/errors.ts';
import { CHANNEL_REFUSAL_WORDS } from '../lib/refusals.ts';
import { maskedId } from '../lib/text/shown-id.ts';
import { describeDuration, MINUTE_MS } from '../lib/time/durations.ts';
import { inTime, type Sleep } from '../lib/time/waiting.ts';
import {
  type ChannelNow,
  type Channels,
  isChannel,
  isUserGroup,
  type Operators,
  type Workspace,
} from '../lib/workspace.ts';
import { type IntegrationsFound, isSending, listIntegrations } from '../lookups/lists.ts';
import { channelName } from '../service/channels.ts';
import type { TriggeredEvent } from '../service/event.ts';
import type { Integration } from '../service/lists.ts';
import type { NotificationService } from '../service/operations.ts';
import { failedRequest } from '../service/problem-words.ts';
import { PERSON } from '../service/query.ts';
import { lostWatches } from '../watches/lost-watches.ts';
import { isAbout, type Watch } from '../watches/settings.ts';
import { watchesIn } from '../watches/watches.ts';
import { advice, type Finding, inChannel, problem, unknown } from './finding.ts';
import { lastHeartbeat } from './last-heartbeat.ts';
import { type EnvironmentStatus, reportStatus, type StatusCtx } from './status.ts';
import type { Strangers } from './strangers.ts';

export interface DoctorCtx extends StatusCtx {
  strangers: Pick<Strangers, 'trouble' | 'suspect'>;
  serviceOf: (environment: string) => NotificationService;
  channels: Pick<Channels, 'isPublic' | 'ask'>;
  workspace: Pick<Workspace, 'isActive' | 'userGroups' | 'membersOf'>;
  operators: Operators;
  tokenChecks: { bot(): Promise<TokenCheck>; app: (() => Promise<TokenCheck>) | null };
  neededScopes: readonly string[];
  /** Returns what Slack refuses, in words: 'tables'. */
  newerKinds: { check(): Promise<readonly string[]> };
  hasHeartbeat: boolean;
  warnings: readonly { variable: string; problem: string; example: string }[];
  sleep: Sleep;
}

export type TokenCheck =
  | { is: 'accepted'; scopes: readonly string[] | null; clockAheadMs: number | null }
  | { is: 'refused'; variable: string; word: string; next: string };

export interface SetUpCheck {
  subject: string;
  look(): Promise<readonly Finding[]>;
}

export interface Examined {
  subject: string;
  findings: readonly Finding[];
}

const NOTIF_ITSELF = 'Notif itself';

export function examineSetUp(ctx: DoctorCtx): Promise<readonly Examined[]> {
  ctx.strangers.suspect();
  const status = reportStatus(ctx);
  const { app } = ctx.tokenChecks;
  return runChecks(
    [
      { subject: 'Bot token', look: () => botFindings(ctx) },
      ...(app === null ? [] : [{ subject: 'App token', look: async () => tokenProblems(await app(), []) }]),
      { subject: 'Block Kit', look: () => blockFindings(ctx) },
      { subject: 'Watches', look: () => watchFindings(ctx) },
      { subject: 'Operators and mentions', look: () => peopleFindings(ctx) },
      ...ctx.environments.map((environment) => ({
        subject: `${environment.label}: Service`,
        look: async () => serviceFindings(environment, (await status).environments, ctx),
      })),
      { subject: NOTIF_ITSELF, look: async () => (await status).troubles },
      { subject: 'Heartbeat', look: () => heartbeatFindings(ctx) },
      { subject: 'Settings', look: async () => settingFindings(ctx) },
    ],
    ctx,
  );
}

async function blockFindings({ newerKinds }: DoctorCtx) {
  const refused = await newerKinds.check();
  const what = `Slack refuses ${refused.join(', ')} in this workspace: text and menus are sent instead.`;
  return refused.length === 0 ? [] : [advice(what, 'Nothing to fix: run /notif doctor later to ask Slack again.')];
}

const CHECK_TIMEOUT_MS = 10_000;

export async function runChecks(
  checks: readonly SetUpCheck[],
  { sleep, logger }: Pick<DoctorCtx, 'sleep' | 'logger'>,
): Promise<readonly Examined[]> {
  const late = [unknown('This took longer than 10 s.', 'Try again in a minute.')];
  const run = async ({ subject, look }: SetUpCheck) => {
    const looking = look().catch((err: unknown) => {
      logger.warn({ err, subject }, 'Check of the setup failed');
      const next = 'Fix the other problems, then try again; if this persists, the log says why.';
      return [unknown("This check couldn't run.", next)];
    });
    return { subject, findings: await inTime(looking, CHECK_TIMEOUT_MS, late, sleep) };
  };
  return withoutRepeats(await Promise.all(checks.map(run)));
}

/** The status names a channel without Notif, or a missing scope, too. */
function withoutRepeats(examined: readonly Examined[]): readonly Examined[] {
  const others = examined.filter(({ subject }) => subject !== NOTIF_ITSELF);
  const known = new Set(others.flatMap(({ findings }) => findings.map(keyOf)));
  return examined.flatMap(({ subject, findings }) => {
    const fresh = subject === NOTIF_ITSELF ? findings.filter((finding) => !known.has(keyOf(finding))) : findings;
    return fresh.length === 0 && findings.length > 0 ? [] : { subject, findings: fresh };
  });
}

const keyOf = ({ what, about }: Finding): string => JSON.stringify([what, about.map(({ id }) => id)]);

const REINSTALL = 'Paste the manifest again under App Manifest of the Slack app, and reinstall it.';

export async function botFindings({
  tokenChecks,
  neededScopes,
}: Pick<DoctorCtx, 'tokenChecks' | 'neededScopes'>): Promise<Finding[]> {
  const check = await tokenChecks.bot();
  const next = 'Compare OAuth & Permissions of the Slack app with docs/slack-app.md.';
  const hasNoScopes = check.is === 'accepted' && check.scopes === null;
  const unknownScopes = hasNoScopes ? [unknown('Scopes unknown: Slack names none.', next)] : [];
  return [...unknownScopes, ...tokenProblems(check, neededScopes)];
}

const CLOCK_OFF_MS = 30_000;

export function tokenProblems(check: TokenCheck, neededScopes: readonly string[], clockOffMs?: number): Finding[] {
  if (check.is === 'refused') {
    const { variable, word, next } = check;
    const todo = `${next.charAt(0).toUpperCase()}${next.slice(1)}, then restart Notif.`;
    return [problem(`Slack refuses ${variable} with ${word}.`, todo)];
  }
  const { scopes, clockAheadMs } = check;
  const missing = scopes === null ? [] : neededScopes.filter((scope) => !scopes.includes(scope));
  const next = 'Set the clock of the machine by a time server (NTP).';
  return [
    ...missing.map((scope) => problem(`${scope} was not granted.`, REINSTALL)),
    ...clockFindings({ ours: "Notif's clock", theirs: "Slack's" }, clockAheadMs, next, clockOffMs),
  ];
}

interface Clocks {
  ours: string;
  theirs: string;
}

/** `aheadMs` says how far theirs is ahead. */
function clockFindings({ ours, theirs }: Clocks, aheadMs: number | null, next: string, offMs = CLOCK_OFF_MS) {
  const ms = Math.abs(aheadMs ?? 0);
  const isBehind = aheadMs !== null && aheadMs > 0;
  const what = `${ours} is ${describeDuration(ms)} ${isBehind ? 'behind' : 'ahead of'} ${theirs}.`;
  return ms < offMs ? [] : [problem(what, next)];
}

/** Slack answers some fifty such questions a minute. */
const MOST_CHECKED = 40;

async function watchFindings({ db, channels: slack, environments, now }: DoctorCtx) {
  const all = await watchesIn(db);
  const ended = (await lostWatches(db, null, now())).map(({ channel, why: end }) => {
    const { why, fix } = CHANNEL_REFUSAL_WORDS[end];
    const next = `${fix}, then /notif watch there.`;
    return problem(`A watch was removed because ${why}:`, next, inChannel(channel));
  });
  if (all.length === 0) {
    const next = 'Run /notif watch in a channel, or set NOTIF_DIGEST_CHANNEL.';
    return [...ended, advice('There is none: failures alert nobody.', next)];
  }
  const channels = [...new Set(all.map(({ channel }) => channel))].filter(isChannel);
  const checked = channels.slice(0, MOST_CHECKED);
  const skipped = channels.length - checked.length;
  const unchecked = unknown(`${skipped} channels with watches were not checked.`, 'Look at them in Slack.');
  const configured = all.find(({ createdBy }) => createdBy === null)?.channel;
  const findings = await Promise.all(
    checked.map(async (id) => channelFindings(id, await slack.ask(id), id === configured)),
  );
  return [...ended, ...aimlessWatches(all, environments), ...findings.flat(), ...(skipped > 0 ? [unchecked] : [])];
}

export function aimlessWatches(all: readonly Watch[], environments: readonly Environment[]): Finding[] {
  const aimless = all.filter(({ settings }) => !environments.some(({ name }) => isAbout(settings.filter, name)));
  const next = 'Change the environments there: /notif watches, Edit.';
  const what = "A watch whose environments aren't configured alerts nobody in";
  return aimless.map(({ channel }) => problem(what, next, inChannel(channel)));
}

export function channelFindings(id: string, now: ChannelNow | null, isConfigured: boolean): Finding[] {
  const orElse = isConfigured ? 'or change NOTIF_DIGEST_CHANNEL.' : 'or create the watch in another channel.';
  const here = inChannel(id);
  if (!now?.isMember)
    return [problem("Notif isn't in the channel, or it doesn't exist:", `/invite @Notif there, ${orElse}`, here)];
  if (now.isArchived) return [problem('Nothing can be posted in the archived', `Unarchive it, ${orElse}`, here)];
  const shared = 'Another organization can read the alerts, or is invited, in';
  return now.isShared ? [advice(shared, "If it shouldn't, use another channel.", here)] : [];
}

async function peopleFindings({ db, operators, workspace }: DoctorCtx) {
  const operatorIds = [...operators.users, ...operators.groups];
  const mentions = (await watchesIn(db)).flatMap(({ channel, settings: { mention } }) => {
    return mention === null ? [] : [{ id: mention.id, about: [mention, ...inChannel(channel)] }];
  });
  const ids = [...new Set([...operatorIds, ...mentions.map(({ id }) => id)])];
  const inUse = ids.some(isUserGroup) ? (await workspace.userGroups()).map(({ id }) => id) : [];
  const faultOf = async (id: string) => {
    if (!isUserGroup(id)) return (await workspace.isActive(id)) ? null : 'has no active account';
    const isEmpty = !inUse.includes(id) || (await workspace.membersOf(id)).members.length === 0;
    return isEmpty ? 'is no user group in use, or has no members' : null;
  };
  const faults = new Map(await Promise.all(ids.map(async (id) => [id, await faultOf(id)] as const)));
  const faultIn = (id: string, sentence: string, next: string, about: Finding['about']) => {
    const fault = faults.get(id) ?? null;
    return fault === null ? [] : [problem(`${sentence} ${fault}:`, next, about)];
  };
  const fix = 'Fix NOTIF_OPERATORS and restart Notif, or add people to the group.';
  const edit = 'Change the watch there: /notif watches, Edit.';
  const set = 'Set it to IDs of people (U…) and user groups (S…), and restart Notif.';
  const off = advice("Sending tests and changing credentials are off: NOTIF_OPERATORS isn't set.", set);
  return [
    ...(operatorIds.length === 0 && !operators.isEverybody ? [off] : []),
    ...operatorIds.flatMap((id) => faultIn(id, 'NOTIF_OPERATORS names an ID that', fix, [{ kind: 'word', id }])),
    ...mentions.flatMap(({ id, about }) => faultIn(id, 'A watch mentions somebody that', edit, about)),
  ];
}

const EVENTS_READ = 50;

/** Less than a check may take: what polls found is known in any case. */
const SERVICE_ANSWERS_MS = 8_000;

async function serviceFindings(
  environment: Environment,
  statuses: readonly EnvironmentStatus[],
  ctx: DoctorCtx,
): Promise<readonly Finding[]> {
  const service = ctx.serviceOf(environment.name);
  const asked = orServiceError(service.listEvents({ limit: EVENTS_READ }, PERSON));
  const listed = orServiceError(listIntegrations(service, { channels: [], providers: [] }));
  const [answer, integrations] = await Promise.all([
    inTime(asked, SERVICE_ANSWERS_MS, null, ctx.sleep),
    inTime(listed, SERVICE_ANSWERS_MS, null, ctx.sleep),
  ]);
  if (answer instanceof ServiceError) {
    const { what, next } = failedRequest(answer, environment);
    return [problem(what, next)];
  }
  const late = unknown("The service didn't answer within 8 s.", 'Try again in a minute.');
  const set =
    "If Slack's clock differs, too, set the machine's by a time server (NTP); else contact the service's owners.";
  return [
    ...(answer === null ? [late] : []),
    ...pollingFindings(statuses.filter((status) => status.environment === environment)),
    ...clockFindings({ ours: "Notif's clock", theirs: "the service's" }, service.clockAheadMs(), set),
    ...integrationProblems(environment, answer?.items ?? [], integrations),
  ];
}

/** Channels that workflows use and nothing sends by, and bounces of which nobody will hear. */
export function integrationFindings(
  events: readonly TriggeredEvent[],
  { items, inactiveChannels }: IntegrationsFound,
): readonly Finding[] {
  const used = new Set(events.flatMap(({ jobs }) => jobs.map(({ type }) => type)));
  const add = "Add or activate one in the service's dashboard.";
  const missing = inactiveChannels
    .filter((channel) => used.has(channel))
    .map((channel) => {
      const what = `Workflows send by ${channelName(channel)}, but no integration for it is active:`;
      return problem(what, add, namesOf(items.filter((integration) => integration.channel === channel)));
    });
  const deaf = items.filter((item) => isSending(item) && item.channel === 'email' && item.inboundWebhook === false);
  const webhook = "Turn its inbound webhook on in the service's dashboard, and enter it at the provider.";
  const unheard = advice('Bounces are never reported for email sent with:', webhook, namesOf(deaf));
  return deaf.length === 0 ? missing : [...missing, unheard];
}

const namesOf = (integrations: readonly Integration[]) =>
  integrations.map(({ name }) => ({ kind: 'word' as const, id: maskedId(name) }));

function integrationProblems(
  environment: Environment,
  events: readonly TriggeredEvent[],
  found: IntegrationsFound | ServiceError | null,
): readonly Finding[] {
  if (found instanceof ServiceError) {
    const { what, next } = failedRequest(found, environment);
    return [unknown(`Its integrations are unknown. ${what}`, next)];
  }
  return found === null ? [] : integrationFindings(events, found);
}

export function pollingFindings(statuses: readonly Pick<EnvironmentStatus, 'condition'>[]): Finding[] {
  return statuses.flatMap(({ condition: { is, words, what, next } }) => {
    if (is === 'fine') return [];
    const todo = next || 'Nothing to do; /notif status shows progress.';
    return [{ is, what: what || words, next: todo, about: [] }];
  });
}

/** A pass of the heartbeat's loop may wait for its address and for the database. */
const LONGEST_BETWEEN_CALLS_MS = 5 * MINUTE_MS;

type HeartbeatCtx = Pick<DoctorCtx, 'hasHeartbeat' | 'db' | 'running' | 'now'>;

export async function heartbeatFindings({ hasHeartbeat, db, running, now }: HeartbeatCtx): Promise<Finding[]> {
  if (!hasHeartbeat) {
    const next = "Set it to the address of a dead man's switch.";
    return [advice("Nobody is woken when Notif itself dies: NOTIF_HEARTBEAT_URL isn't set.", next)];
  }
  const { why = null, at = running.startedAt } = (await lastHeartbeat(db)) ?? {};
  const silentMs = now().getTime() - max([at, running.startedAt]).getTime();
  if (silentMs > LONGEST_BETWEEN_CALLS_MS) {
    const what = `The dead man's switch has not been called for ${describeDuration(silentMs)}.`;
    return [problem(what, 'Fix the other problems first, then look for heartbeat in the log.')];
  }
  const next = 'Fix that, or check NOTIF_HEARTBEAT_URL and the way to it: the calls then resume by themselves.';
  return why === null ? [] : [problem(`The dead man's switch wasn't called: ${why}.`, next)];
}

function settingFindings({ warnings }: DoctorCtx) {
  return warnings.map(({ variable, problem: what, example }) =>
    advice(`${variable} ${what}.`, `Use ${example}, and restart Notif.`),
  );
}
