import type { Environment } from '../../domain/environment.ts';
import type { CheckResult } from '../../domain/health/check-result.ts';
import { type ExamineParts, examine } from './examine.ts';
import { channelChecks, type ExamineChannelsParts } from './examine-channels.ts';
import { type ExamineEnvironmentParts, environmentChecks } from './examine-environment.ts';
import { type ExamineOperatorsParts, operatorsCheck } from './examine-operators.ts';
import { type ExamineRunningParts, runningChecks } from './examine-running.ts';
import { type ExamineSettingsParts, settingsChecks } from './examine-settings.ts';
import { type ExamineSlackParts, slackChecks } from './examine-slack.ts';

export type SetUpParts = ExamineParts &
  ExamineSlackParts &
  ExamineEnvironmentParts &
  ExamineRunningParts &
  ExamineChannelsParts &
  ExamineOperatorsParts &
  ExamineSettingsParts & { readonly environments: readonly Environment[] };

/** Checks everything that Notif needs to work, without changing anything. Returns the results, the most severe first. */
export function examineSetUp(parts: SetUpParts): Promise<CheckResult[]> {
  const checks = [
    ...slackChecks(parts),
    ...parts.environments.flatMap((environment) => environmentChecks(environment, parts)),
    ...runningChecks(parts),
    ...channelChecks(parts),
    operatorsCheck(parts),
    ...settingsChecks(parts),
  ];
  return examine(checks, parts);
}
