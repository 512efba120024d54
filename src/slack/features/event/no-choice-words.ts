import type { NoChoice } from '../../../changes/integration-choice.ts';
import { lacksIntegration } from '../../../judging/details.ts';
import type { StepJudgment } from '../../../judging/judge.ts';
import { channelName } from '../../../service/channels.ts';
import { code, type Markup, mrkdwn, plural } from '../../kit/text.ts';
import { timeNear } from '../../kit/times.ts';

interface LackedIntegration {
  channel: string;
  /** By the trigger, if it names one. */
  named: string | null;
}

/** What a failed step lacked: the service could choose no integration for it. */
export function lackedIntegration({ job, attempts }: StepJudgment): LackedIntegration[] {
  return attempts.flatMap(({ verdict, decisive }) => {
    const isLacking = decisive !== null && verdict === 'failed' && lacksIntegration(decisive);
    return isLacking ? [{ channel: job.type, named: decisive.namedIntegration }] : [];
  });
}

/** Why there was none. */
export function noChoiceLine(noChoice: NoChoice, near: Date | null): Markup {
  switch (noChoice.is) {
    case 'gone': {
      const when = noChoice.removedAt && mrkdwn`, removed ${timeNear(noChoice.removedAt, near)}`;
      return mrkdwn`⚙️ The trigger names ${code(noChoice.name)}${when ?? ', which the environment lacks'}`;
    }
    case 'off':
      return mrkdwn`⚙️ The trigger names ${code(noChoice.name)}, which is switched off`;
    case 'none-active':
      return noChoice.integrations === 0
        ? mrkdwn`⚙️ The environment has no ${channelName(noChoice.channel)} integration`
        : noneOf(noChoice.integrations, `${channelName(noChoice.channel)} integration`, 'active');
    case 'none-primary':
      return noneOf(noChoice.active, `active ${channelName(noChoice.channel)} integration`, 'primary');
  }
}

/** 'None of 4 active SMS integrations is primary' */
const noneOf = (count: number, what: string, needed: string): Markup =>
  count === 1 ? mrkdwn`⚙️ The only ${what} isn't ${needed}` : mrkdwn`⚙️ None of ${plural(count, what)} is ${needed}`;
