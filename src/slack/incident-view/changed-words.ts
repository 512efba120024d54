import type { Changed, EnvironmentChange } from '../../changes/change.ts';
import { maskedId } from '../../lib/text/shown-id.ts';
import { describeDuration } from '../../lib/time/durations.ts';
import { channelName } from '../../service/channels.ts';
import { providerName } from '../kit/names.ts';
import { joined, type Markup, mrkdwn, named } from '../kit/text.ts';
import { datedWindow, time } from '../kit/times.ts';

export function changedWords(what: Changed): Markup {
  if (what.kind === 'deploy') return mrkdwn`🚀 Deploy: ${what.name}`;
  const aspects = joined(what.aspects.map(maskedId), ', ');
  if (what.kind === 'workflow') return mrkdwn`⚙️ Workflow ${named(maskedId(what.name))}: ${aspects}`;
  const provider = providerName(what.provider);
  const title = provider === what.name ? named(provider) : mrkdwn`${named(maskedId(what.name))} (${named(provider)})`;
  return mrkdwn`⚙️ ${title} integration (${channelName(what.channel)}): ${aspects}`;
}

/** The time of a change, or between which two readings of the service it was. */
export function changedWhen({ at, notBefore }: EnvironmentChange): Markup {
  return notBefore === null ? time(at) : datedWindow({ from: notBefore, to: at });
}

/** When it was changed, as seen from an incident's beginning: 'between …', '2 min to 4 min before'. */
export function changedBeforeWords({ at, notBefore }: EnvironmentChange, beganAt: Date): Markup {
  if (at > beganAt) return mrkdwn`between ${time(notBefore, 'seconds')} and ${time(at, 'seconds')}`;
  const before = (moment: Date) => describeDuration(beganAt.getTime() - moment.getTime());
  const [least, most] = [before(at), before(notBefore ?? at)];
  return mrkdwn`${least === most ? least : `${least} to ${most}`} before`;
}
