import { max } from 'date-fns';
import { isStoreAway } from '../lib/errors.ts';
import { describeDuration, MINUTE_MS } from '../lib/time/durations.ts';
import { inTime, type Sleep } from '../lib/time/waiting.ts';
import type { Channels, Operators, Workspace } from '../lib/workspace.ts';
import type { NotificationService } from '../service/operations.ts';
import { advice, type Finding, problem, unknown } from './finding.ts';
import { lastHeartbeat } from './last-heartbeat.ts';
import { peopleFindings } from './people-findings.ts';
import { serviceFindings } from './service-findings.ts';
import { reportStatus, type StatusCtx } from './status.ts';
import type { Strangers } from './strangers.ts';
import { botFindings, type TokenCheck, tokenProblems } from './token-findings.ts';
import { watchFindings } from './watch-findings.ts';

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

async function blockFindings({ newerKinds }: DoctorCtx): Promise<readonly Finding[]> {
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
      if (isStoreAway(err)) return [unknown('This check needs the database.', 'Fix that first, then try again.')];
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

/** A pass of the heartbeat's loop may wait for its address and for the database. */
const LONGEST_BETWEEN_CALLS_MS = 5 * MINUTE_MS;

type HeartbeatCtx = Pick<DoctorCtx, 'hasHeartbeat' | 'db' | 'running' | 'now'>;

export async function heartbeatFindings({ hasHeartbeat, db, running, now }: HeartbeatCtx): Promise<Finding[]> {
  if (!hasHeartbeat) {
    const next = "Set it to the address of a dead man's switch.";
    return [advice("Nobody is woken when Notif itself dies: NOTIF_HEARTBEAT_URL isn't set.", next)];
  }
  const { why = null, isWithheld = false, at = running.startedAt } = (await lastHeartbeat(db)) ?? {};
  const silentMs = now().getTime() - max([at, running.startedAt]).getTime();
  if (silentMs > LONGEST_BETWEEN_CALLS_MS) {
    const what = `The dead man's switch has not been called for ${describeDuration(silentMs)}.`;
    return [problem(what, 'Fix the other problems first, then look for heartbeat in the log.')];
  }
  if (why === null) return [];
  if (isWithheld)
    return [problem(`The dead man's switch isn't called: ${why}.`, 'Fix that; the calls then resume by themselves.')];
  const next = 'Check NOTIF_HEARTBEAT_URL against the address that the switch shows, and the way to it.';
  return [problem(`The calls of the dead man's switch fail: ${why}.`, next)];
}

function settingFindings({ warnings }: DoctorCtx): readonly Finding[] {
  return warnings.map(({ variable, problem: what, example }) =>
    advice(`${variable} ${what}.`, `Use ${example}, and restart Notif.`),
  );
}
