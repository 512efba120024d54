import { type Checked, type RunChecksParts, runChecks } from './check.ts';
import { type RunningChecksParts, runningChecks } from './running-checks.ts';
import { type ServiceChecksParts, serviceChecks } from './service-checks.ts';
import { type SlackChecksParts, slackChecks } from './slack-checks.ts';

export type SetUpParts = RunChecksParts & SlackChecksParts & ServiceChecksParts & RunningChecksParts;

export function examineSetUp(parts: SetUpParts): Promise<Checked[]> {
  return runChecks([...slackChecks(parts), ...serviceChecks(parts), ...runningChecks(parts)], parts);
}
