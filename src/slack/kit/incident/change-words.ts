import type { Changed, EnvironmentChange, IntegrationAspect, WorkflowAspect } from '../../../changes/change.ts';
import { maskedId } from '../../../lib/text/shown-id.ts';
import { joined, type Markup, mrkdwn, named } from '../text.ts';
import { time, timeNear } from '../times.ts';
import { channelName, providerName } from './channel-name.ts';

const INTEGRATION_WORDS: Readonly<Record<IntegrationAspect, string>> = {
  added: 'added',
  removed: 'removed',
  deleted: 'deleted',
  restored: 'restored',
  activated: 'made active',
  deactivated: 'made inactive',
  'made-primary': 'made primary',
  'no-longer-primary': 'no longer primary',
  'provider-changed': 'moved to another provider',
  'conditions-added': 'given conditions',
  'conditions-removed': 'conditions removed',
  'conditions-changed': 'conditions changed',
  'webhook-on': 'inbound webhook turned on',
  'webhook-off': 'inbound webhook turned off',
  renamed: 'renamed',
};

const WORKFLOW_WORDS: Readonly<Record<WorkflowAspect, string>> = {
  renamed: 'renamed',
  'variables-changed': 'payload variables changed',
};

export function changedWords(what: Changed): Markup {
  switch (what.kind) {
    case 'integration':
      return mrkdwn`⚙️ ${integrationName(what)} integration (${channelName(what.channel)}): ${integrationAspects(what)}`;
    case 'workflow':
      return mrkdwn`⚙️ Workflow ${named(maskedId(what.name))}: ${what.aspects.map((aspect) => WORKFLOW_WORDS[aspect]).join(', ')}`;
    case 'deploy':
      return mrkdwn`🚀 Deploy: ${what.name}`;
  }
}

type Integration = Extract<Changed, { kind: 'integration' }>;

function integrationName({ name, provider }: Integration): Markup {
  const own = providerName(provider);
  return own === name ? named(name) : mrkdwn`${named(maskedId(name))} (${named(own)})`;
}

function integrationAspects({ aspects, earlierName }: Integration): Markup {
  const words = aspects.map((aspect) =>
    aspect === 'renamed' && earlierName !== null
      ? mrkdwn`renamed from ${named(maskedId(earlierName))}`
      : mrkdwn`${INTEGRATION_WORDS[aspect]}`,
  );
  return joined(words, ', ');
}

/** Between two comparisons, if it was noticed by one. */
export function changedWhen({ at, after }: Pick<EnvironmentChange, 'at' | 'after'>): Markup {
  return after === null ? time(at, 'day') : mrkdwn`between ${time(after, 'day')} and ${timeNear(at, after, 'seconds')}`;
}
