import { type CheckResult, checkResult, fine } from '../../domain/health/check-result.ts';
import type { Check } from './examine.ts';

export interface ExamineSettingsParts {
  /** Whether NOTIF_HEARTBEAT_URL is set. */
  readonly hasHeartbeat: boolean;
  /** Settings that work but probably aren't what was meant, by the variable's name. */
  readonly warnings: readonly { readonly variable: string; readonly warning: string }[];
}

/** Checks for environment variables that could be set better. */
export function settingsChecks({ hasHeartbeat, warnings }: ExamineSettingsParts): Check[] {
  return [{ subject: 'Settings', look: async () => [heartbeat(hasHeartbeat), ...warnings.map(warned)] }];
}

function heartbeat(isSet: boolean): CheckResult {
  if (isSet) return fine('Heartbeat', 'It is called while events are checked and alerts sent.');
  return checkResult('advice', 'Heartbeat', {
    what: "Nobody is woken when Notif itself dies: NOTIF_HEARTBEAT_URL isn't set.",
    next: "Set it to the address of a dead man's switch that alarms when the calls stay away.",
  });
}

function warned({ variable, warning }: ExamineSettingsParts['warnings'][number]): CheckResult {
  return checkResult('advice', 'Settings', {
    what: `${variable} ${warning}.`,
    next: 'docs/configuration.md describes every variable.',
  });
}
