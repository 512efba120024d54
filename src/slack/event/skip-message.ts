import type { StepJudgement } from '../../domain/failures/judge.ts';
import { isStoppedByFailure } from '../../domain/failures/step-sentences.ts';
import type { Comparison, Condition } from '../../domain/service/condition.ts';
import { channelName } from '../blocks/incident/channel-name.ts';
import { code, joined, type Markup, mrkdwn, plural } from '../blocks/text.ts';

const MOST_CONDITIONS = 4;

export function skipLines(step: StepJudgement, steps: readonly StepJudgement[]): Markup[] {
  if (step.verdict !== 'skipped-by-design') return [];
  return [...followed(step, steps), ...conditionLines(step.job.conditions)];
}

function followed(step: StepJudgement, steps: readonly StepJudgement[]): Markup[] {
  if (!step.job.details.some(isStoppedByFailure)) return [];
  const before = steps.slice(0, steps.indexOf(step)).findLast(({ verdict }) => verdict === 'failed');
  return before === undefined ? [] : [mrkdwn`${channelName(before.job.type)} before it failed`];
}

function conditionLines(conditions: readonly Condition[]): Markup[] {
  const left = conditions.length - MOST_CONDITIONS;
  return [
    ...conditions.slice(0, MOST_CONDITIONS).map((condition) => mrkdwn`sent ${conditionWords(condition)}`),
    ...(left > 0 ? [mrkdwn`${plural(left, 'more condition is', 'more conditions are')} under View raw`] : []),
  ];
}

function conditionWords({ isNegated, needs, comparisons }: Condition): Markup {
  const words = joined(comparisons.slice(0, MOST_CONDITIONS).map(comparisonWords), needs === 'all' ? ' and ' : ' or ');
  const more =
    comparisons.length > MOST_CONDITIONS ? mrkdwn` and ${comparisons.length - MOST_CONDITIONS} more` : mrkdwn``;
  return mrkdwn`${isNegated ? 'unless' : 'only if'} ${words}${more}`;
}

function comparisonWords({ field, operator, value }: Comparison): Markup {
  return mrkdwn`${code(`${field}`)} ${`${operator}`} ${code(`${value}`)}`;
}
