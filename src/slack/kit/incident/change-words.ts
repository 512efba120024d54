import type { Changed, EnvironmentChange, IntegrationAspect, WorkflowAspect } from '../../../changes/change.ts';
import { maskedId } from '../../../lib/text/shown-id.ts';
import { joined, type Markup, mrkdwn, named } from '../text.ts';
import { time, timeNear } from '../times.ts';
import { channelName, providerName } from './channel-name.ts';

export function changedWords(what: Changed): Markup {
  switch (what.kind) {
    case 'integration': {
      const { name, provider, channel, aspects, earlierName } = what;
      const own = providerName(provider);
      const title = own === name ? named(name) : mrkdwn`${named(maskedId(name))} (${named(own)})`;
      const from = earlierName === null ? mrkdwn`` : mrkdwn` from ${named(maskedId(earlierName))}`;
      const words = aspects.map((aspect) => mrkdwn`${aspectWords(aspect)}${aspect === 'renamed' ? from : ''}`);
      return mrkdwn`⚙️ ${title} integration (${channelName(channel)}): ${joined(words, ', ')}`;
    }
    case 'workflow':
      return mrkdwn`⚙️ Workflow ${named(maskedId(what.name))}: ${what.aspects.map(aspectWords).join(', ')}`;
    case 'deploy':
      return mrkdwn`🚀 Deploy: ${what.name}`;
  }
}

/** 'provider changed', 'no longer primary'. */
function aspectWords(aspect: IntegrationAspect | WorkflowAspect): string {
  return aspect.replaceAll('-', ' ');
}

/** Between two comparisons, if it was noticed by one. */
export function changedWhen({ at, after }: Pick<EnvironmentChange, 'at' | 'after'>): Markup {
  return after === null ? time(at, 'day') : mrkdwn`between ${time(after, 'day')} and ${timeNear(at, after, 'seconds')}`;
}
