import type { NoChoice } from '../../../changes/integration-choice.ts';
import { lacksIntegration } from '../../../judging/details.ts';
import type { StepJudgment } from '../../../judging/judge.ts';
import { channelName } from '../../../service/channels.ts';
import { code, type Markup, mrkdwn, plural, timeNear } from '../../kit/text.ts';

interface LackedIntegration {
  channel: string;
  named: string | null;
}

/** Of a failed step for which the service could choose no integration. */
export function lackedIntegration({ job, attempts }: StepJudgment): LackedIntegration[] {
  return attempts.flatMap(({ verdict, decisive }) => {
    const isLacking = decisive !== null && verdict === 'failed' && lacksIntegration(decisive);
    return isLacking ? [{ channel: job.type, named: decisive.namedIntegration }] : [];
  });
}

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
        : mrkdwn`⚙️ None of ${plural(noChoice.integrations, `${channelName(noChoice.channel)} integration`)} is active`;
    case 'none-primary':
      return mrkdwn`⚙️ None of ${plural(noChoice.active, `active ${channelName(noChoice.channel)} integration`)} is primary`;
  }
}
