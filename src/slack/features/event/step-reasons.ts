import { causeOf } from '../../../judging/cause.ts';
import { skippedBy } from '../../../judging/details.ts';
import type { Failure } from '../../../judging/failure.ts';
import type { Judgment, StepJudgment } from '../../../judging/judge.ts';
import type { Verdict } from '../../../judging/verdict.ts';
import { channelName } from '../../../service/channels.ts';
import type { Job } from '../../../service/event.ts';
import { channelVia } from '../../kit/names.ts';
import { outcomeWords } from '../../kit/outcomes.ts';
import { code, joined, listed, type Markup, mrkdwn } from '../../kit/text.ts';

export const REASONS: { [V in Verdict]?: string } = {
  failed: 'a step failed, and the service gives no details',
  complained: 'it was delivered, and the recipient reported it as spam',
  'in-progress': 'not all steps have finished',
  stuck: "a step hasn't finished long after it should have",
};

const SKIP_WORDS = {
  subscriber: (channel: string) => `the subscriber turned ${channel} off`,
  workflow: (channel: string) => `the workflow's preferences turn ${channel} off`,
  schedule: () => "it fell outside the subscriber's schedule",
  throttle: () => 'throttled: the limit for its time window was reached',
  condition: () => 'a condition decided not to send it',
};

/** Why a step, or an event, came to its verdict. */
export function reasonOf(verdict: Verdict, { steps }: Pick<Judgment, 'steps'>): string {
  return verdict === 'skipped-by-design' ? skipWords(steps) : (REASONS[verdict] ?? outcomeWords(verdict));
}

/** Where it failed, and why: 'Email via SendGrid: mailbox full'. */
export const failureText = ({ channel, provider, cause }: Failure): string =>
  `${channelVia(channel, provider)}: ${cause.text}`;

/** Why steps were skipped: the first that says why explains those after it. */
export function skipWords(steps: readonly StepJudgment[]): string {
  for (const { job, attempts } of steps) {
    const decisive = attempts.find(({ verdict }) => verdict === 'skipped-by-design')?.decisive ?? null;
    const reason = decisive && skippedBy(decisive, job.type);
    if (reason) return SKIP_WORDS[reason](channelName(job.type));
    if (decisive) return causeOf(decisive).text;
    if (job.type === 'throttle' && job.status === 'skipped') return SKIP_WORDS.throttle();
  }
  // A step with conditions, or a detail that failed, can have been ended by a condition: then nobody is said to have canceled it.
  const mayBeByCondition = ({ job: { conditions, details } }: StepJudgment): boolean =>
    conditions.length > 0 || details.some(({ status }) => status === 'Failed');
  const isCanceled = steps.some(({ job }) => job.status === 'canceled') && !steps.some(mayBeByCondition);
  return isCanceled ? 'it was canceled before it was sent' : SKIP_WORDS.condition();
}

export function conditionWords({ isNegated, needs, comparisons }: Job['conditions'][number]): Markup {
  const words = comparisons.map(({ field, operator, value }) =>
    joined([code(`${field}`), `${operator}`, code(`${value}`)], ' '),
  );
  return mrkdwn`sent ${isNegated ? 'unless' : 'only if'} ${listed(words, needs === 'all' ? ' and ' : ' or ')}`;
}
