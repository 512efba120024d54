import type { Operators, UserGroups } from '../lib/people.ts';
import type { Channels, Workspace } from '../lib/workspace.ts';
import type { TriggeredEvent } from '../service/event.ts';
import type { Integration } from '../service/integration.ts';
import type { Call, EventQuery, Page } from '../service/query.ts';
import type { Db } from '../store/db.ts';
import type { BlockedChannel } from './backlog.ts';
import type { Finding } from './checks.ts';
import * as checks from './checks.ts';
import type { LastHeartbeat } from './heartbeat.ts';
import { reportStatus, type StatusCtx } from './status.ts';
import type { TokenChecks } from './token-check.ts';

export interface DoctorCtx extends StatusCtx {
  readonly db: Db;
  readonly store: StatusCtx['store'] & {
    blockedChannels(): Promise<readonly BlockedChannel[]>;
    lastHeartbeat(): Promise<LastHeartbeat | null>;
  };
  readonly serviceOf: (environment: string) => {
    listEvents(query: EventQuery, call: Call): Promise<Page<TriggeredEvent>>;
    listIntegrations(call: Call): Promise<Page<Integration>>;
    clockAheadMs(): number | null;
  };
  readonly channels: Pick<Channels, 'isPublic' | 'ask'>;
  readonly workspace: Pick<Workspace, 'isActive' | 'userGroups'>;
  readonly groups: UserGroups;
  readonly operators: Operators;
  readonly tokenChecks: TokenChecks;
  readonly neededScopes: Readonly<Record<string, string>>;
  readonly hasHeartbeat: boolean;
  readonly warnings: readonly { readonly variable: string; readonly warning: string }[];
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
}

export interface Check {
  readonly subject: string;
  /** Returns nothing if all is well. A rejection is reported as a check that couldn't be done. */
  look(signal: AbortSignal): Promise<readonly Finding[]>;
}

export interface Checked {
  readonly subject: string;
  readonly findings: readonly Finding[];
}

export function examineSetUp(parts: DoctorCtx): Promise<Checked[]> {
  const status = reportStatus(parts);
  const { app } = parts.tokenChecks;
  return runChecks(
    [
      { subject: 'Bot token', look: () => checks.botToken(parts) },
      ...(app === null ? [] : [{ subject: 'App token', look: async () => checks.refusal(await app()) }]),
      { subject: 'Watches', look: () => checks.watches(parts) },
      { subject: 'Mentions', look: () => checks.mentions(parts) },
      { subject: 'Operators', look: () => checks.operators(parts) },
      ...parts.environments.map((environment) => ({
        subject: `${environment.label}: Service`,
        look: (signal: AbortSignal) => checks.service(environment, parts, signal),
      })),
      { subject: 'Polling', look: async () => checks.polling(await status) },
      { subject: 'Messages', look: async () => checks.messages(await status, parts) },
      { subject: 'Db', look: async () => checks.database(await status) },
      { subject: 'Heartbeat', look: () => checks.heartbeat(parts) },
      { subject: 'Settings', look: async () => checks.settings(parts) },
    ],
    parts,
  );
}

/** Somebody waits for the answer. */
const LONGEST_MS = 10_000;

/** A check that takes longer than ten seconds is reported so. */
export async function runChecks(
  all: readonly Check[],
  { sleep, logger }: Pick<DoctorCtx, 'sleep' | 'logger'>,
): Promise<Checked[]> {
  const tooLong = new AbortController();
  const done = new AbortController();
  const waiting = sleep(LONGEST_MS, done.signal).then(() => {
    tooLong.abort();
    return [checks.unknown('This took longer than 10 s.', 'Try again in a minute.')];
  });
  const run = async ({ subject, look }: Check): Promise<Checked> => {
    const looking = look(tooLong.signal).catch((err: unknown) => {
      logger.warn({ err, subject }, 'a check of the setup failed');
      const next = 'Fix the other problems, then run /notif doctor again; if this persists, the log says why.';
      return [checks.unknown("This check couldn't run.", next)];
    });
    return { subject, findings: await Promise.race([looking, waiting]) };
  };
  const checked = await Promise.all(all.map(run));
  done.abort();
  return checked;
}
