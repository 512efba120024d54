import type { IntegrationReader } from '../changes/changes.ts';
import type { Operators, UserGroups } from '../lib/people.ts';
import type { Channels, Workspace } from '../lib/workspace.ts';
import * as checks from './checks.ts';
import { reportStatus, type StatusCtx } from './status.ts';

export interface DoctorCtx extends StatusCtx {
  readonly serviceOf: (environment: string) => IntegrationReader & { clockAheadMs(): number | null };
  readonly channels: Pick<Channels, 'isPublic' | 'ask'>;
  readonly workspace: Pick<Workspace, 'isActive' | 'userGroups'>;
  readonly groups: UserGroups;
  readonly operators: Operators;
  readonly tokenChecks: { bot(): Promise<TokenCheck>; readonly app: (() => Promise<TokenCheck>) | null };
  readonly neededScopes: readonly string[];
  readonly hasHeartbeat: boolean;
  readonly warnings: readonly { readonly variable: string; readonly warning: string }[];
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
}

export type TokenCheck =
  | { readonly is: 'taken'; readonly scopes: readonly string[] | null; readonly clockAheadMs: number | null }
  | { readonly is: 'refused'; readonly variable: string; readonly word: string; readonly next: string };

export interface Check {
  readonly subject: string;
  look(signal: AbortSignal): Promise<readonly checks.Finding[]>;
}

export interface Checked {
  readonly subject: string;
  readonly findings: readonly checks.Finding[];
}

export function examineSetUp(ctx: DoctorCtx): Promise<Checked[]> {
  const status = reportStatus(ctx);
  const { app } = ctx.tokenChecks;
  return runChecks(
    [
      { subject: 'Bot token', look: () => checks.botToken(ctx) },
      ...(app === null ? [] : [{ subject: 'App token', look: async () => checks.refusal(await app()) }]),
      { subject: 'Watches', look: () => checks.watches(ctx) },
      { subject: 'Mentions', look: () => checks.mentions(ctx) },
      { subject: 'Operators', look: () => checks.operators(ctx) },
      ...ctx.environments.map((environment) => ({
        subject: `${environment.label}: Service`,
        look: (signal: AbortSignal) => checks.service(environment, ctx, signal),
      })),
      { subject: 'Polling', look: async () => checks.polling(await status) },
      { subject: 'Messages', look: async () => checks.messages(await status, ctx) },
      { subject: 'Database', look: async () => checks.database(await status) },
      { subject: 'Heartbeat', look: () => checks.heartbeat(ctx) },
      { subject: 'Settings', look: async () => checks.settings(ctx) },
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
    return [checks.unknown('This took longer than 10 s.', 'Try again in a minute.')];
  });
  const run = async ({ subject, look }: Check): Promise<Checked> => {
    const looking = look(tooLong.signal).catch((err: unknown) => {
      logger.warn({ err, subject }, 'Check of the setup failed');
      const next = 'Fix the other problems, then try again; if this persists, the log says why.';
      return [checks.unknown("This check couldn't run.", next)];
    });
    return { subject, findings: await Promise.race([looking, waiting]) };
  };
  const checked = await Promise.all(all.map(run));
  done.abort();
  return checked;
}
