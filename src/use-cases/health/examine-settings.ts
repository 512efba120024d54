import { type CheckResult, checkResult } from '../../domain/health/check-result.ts';
import { judgeHeartbeat, type LastHeartbeat } from '../../domain/health/heartbeat-report.ts';
import type { SetupCheck } from './examine.ts';

export interface ExamineSettingsParts {
  readonly store: {
    /** Returns the last heartbeat of any replica; null if none was recorded. */
    lastHeartbeat(): Promise<LastHeartbeat | null>;
  };
  readonly pollMs: number;
  readonly running: { readonly startedAt: Date };
  readonly now: () => Date;
  /** Whether NOTIF_HEARTBEAT_URL is set. */
  readonly hasHeartbeat: boolean;
  /** Settings that work but probably aren't what was meant, by the variable's name. */
  readonly warnings: readonly { readonly variable: string; readonly warning: string }[];
}

/** Checks the heartbeat, and for environment variables that could be set better. */
export function settingsChecks(parts: ExamineSettingsParts): SetupCheck[] {
  return [
    { subject: 'Heartbeat', look: async () => [await heartbeat(parts)] },
    { subject: 'Settings', look: async () => parts.warnings.map(warned) },
  ];
}

async function heartbeat({ hasHeartbeat, store, pollMs, running, now }: ExamineSettingsParts): Promise<CheckResult> {
  if (hasHeartbeat) return judgeHeartbeat(await store.lastHeartbeat(), { pollMs, startedAt: running.startedAt }, now());
  return checkResult('advice', 'Heartbeat', {
    what: "Nobody is woken when Notif itself dies: NOTIF_HEARTBEAT_URL isn't set.",
    next: "Set it to the address of a dead man's switch that raises an alarm when the calls stop.",
  });
}

function warned({ variable, warning }: ExamineSettingsParts['warnings'][number]): CheckResult {
  return checkResult('advice', 'Settings', {
    what: `${variable} ${warning}.`,
    next: 'docs/configuration.md describes every variable.',
  });
}
