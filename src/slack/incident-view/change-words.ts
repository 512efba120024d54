import type { Changed, EnvironmentChange } from '../../changes/change.ts';
import { maskedId } from '../../lib/text/shown-id.ts';
import { channelName } from '../../service/channels.ts';
import { providerName } from '../kit/names.ts';
import { datedWindow, joined, type Markup, mrkdwn, named, time } from '../kit/text.ts';

export function changedWords(what: Changed): Markup {
  if (what.kind === 'deploy') return mrkdwn`🚀 Deploy: ${what.name}`;
  const aspects = joined(what.aspects.map(maskedId), ', ');
  if (what.kind === 'workflow') return mrkdwn`⚙️ Workflow ${named(maskedId(what.name))}: ${aspects}`;
  const provider = providerName(what.provider);
  const title = provider === what.name ? named(provider) : mrkdwn`${named(maskedId(what.name))} (${named(provider)})`;
  return mrkdwn`⚙️ ${title} integration (${channelName(what.channel)}): ${aspects}`;
}

export function changedWhen({ at, notBefore }: EnvironmentChange): Markup {
  return notBefore === null ? time(at) : datedWindow({ from: notBefore, to: at });
}
