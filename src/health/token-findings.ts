import { describeDuration } from '../lib/time/durations.ts';
import type { DoctorCtx } from './doctor.ts';
import { type Finding, problem, unknown } from './finding.ts';

export type TokenCheck =
  | { is: 'accepted'; scopes: readonly string[] | null; clockAheadMs: number | null }
  | { is: 'refused'; what: string; next: string };

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
    const { what, next } = check;
    return [problem(`${what}.`, `${next.charAt(0).toUpperCase()}${next.slice(1)}, then restart Notif.`)];
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
export function clockFindings(
  { ours, theirs }: Clocks,
  aheadMs: number | null,
  next: string,
  offMs: number = CLOCK_OFF_MS,
): Finding[] {
  const ms = Math.abs(aheadMs ?? 0);
  const isBehind = aheadMs !== null && aheadMs > 0;
  const what = `${ours} is ${describeDuration(ms)} ${isBehind ? 'behind' : 'ahead of'} ${theirs}.`;
  return ms < offMs ? [] : [problem(what, next)];
}
