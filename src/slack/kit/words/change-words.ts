import type { Changed, EnvironmentChange } from '../../../changes/change.ts';
import { maskedId } from '../../../lib/text/shown-id.ts';
import { channelName } from '../../../service/channels.ts';
import { datedWindow, joined, type Markup, mrkdwn, named, time } from '../text.ts';
import { providerName } from './names.ts';

export function changedWords(what: Changed): Markup {
  if (what.kind === 'deploy') return mrkdwn`🚀 Deploy: ${what.name}`;
  const aspects = joined(what.aspects.map(maskedId), ', ');
  if (what.kind === 'workflow') return mrkdwn`⚙️ Workflow ${named(maskedId(what.name))}: ${aspects}`;
  const provider = providerName(what.provider);
  const title = provider === what.name ? named(provider) : mrkdwn`${named(maskedId(what.name))} (${named(provider)})`;
  return mrkdwn`⚙️ ${title} integration (${channelName(what.channel)}): ${aspects}`;
}

export function changedWhen({ at, after }: Pick<EnvironmentChange, 'at' | 'after'>): Markup {
  return after === null ? time(at, 'day') : datedWindow({ from: after, to: at });
}
