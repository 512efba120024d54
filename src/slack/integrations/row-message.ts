import type { FoundIntegration } from '../../domain/lookups/integrations-found.ts';
import { isFailing, type ProviderNow } from '../../domain/lookups/provider-now.ts';
import type { Integration } from '../../domain/service/integration.ts';
import { maskedId, shownId } from '../../domain/text/shown-id.ts';
import type { Cell } from '../blocks/data-table.ts';
import { firstOf } from '../blocks/first-of.ts';
import { channelName, providerName } from '../blocks/incident/channel-name.ts';
import { FEWEST_FOR_PERCENT, percent } from '../blocks/incident/group-words.ts';
import { idCode } from '../blocks/shown-id.ts';
import { code, joined, type Markup, mrkdwn, plural } from '../blocks/text.ts';
import { time } from '../blocks/times.ts';

/** In characters. */
const LONGEST_NAME = 40;
const MOST_FIELDS = 3;

export function integrationCells(integration: FoundIntegration): Cell[] {
  const { name, channel, provider, identifier, primary } = integration;
  const facts = [
    mrkdwn`${emoji(integration)} ${state(integration)}`,
    ...(integration.lately === null ? [] : [latelyWords(integration.lately)]),
    ...(primary ? [mrkdwn`primary`] : []),
    ...conditions(integration),
    ...inboundWebhook(integration),
  ];
  return [
    maskedId(name),
    channelName(channel),
    providerName(provider),
    shownId(identifier, 'everyone'),
    joined(facts, ' · '),
  ];
}

function emoji(integration: FoundIntegration): string {
  if (integration.lately !== null && isFailing(integration.lately)) return '⚠️';
  if (integration.deleted) return '🗑️';
  return integration.active ? '✅' : '⏸️';
}

function state({ deleted, deletedAt, deletedBy, active }: Integration): Markup {
  if (!deleted) return active ? mrkdwn`active` : mrkdwn`inactive`;
  const when = deletedAt === null ? mrkdwn`` : mrkdwn` ${time(deletedAt, 'day')}`;
  return mrkdwn`deleted${when}${deletedBy === null ? mrkdwn`` : mrkdwn` by ${idCode(deletedBy, 'everyone', LONGEST_NAME)}`}`;
}

/** A number if a percentage would be misleading. */
function latelyWords({ failures, attempts, window }: ProviderNow): Markup {
  const share = attempts < FEWEST_FOR_PERCENT ? `${failures}` : percent(failures, attempts);
  return mrkdwn`${share} of the last ${plural(attempts, 'attempt')} failed (5 min to ${time(window.to, 'minute')})`;
}

/** It's used only if they are met, which often explains why a message took another way. */
function conditions({ hasConditions, conditionFields }: Integration): Markup[] {
  if (!hasConditions) return [];
  if (conditionFields.length === 0) return [mrkdwn`only under conditions`];
  const fields = conditionFields.map((field) => code(`${field}`, LONGEST_NAME));
  return [mrkdwn`only under conditions on ${joined(firstOf(fields, MOST_FIELDS), ', ')}`];
}

/** Bounces arrive through it: without one, a bounced email counts as delivered. */
function inboundWebhook(integration: Integration): Markup[] {
  if (integration.deleted) return [];
  if (integration.inboundWebhook === true) return [mrkdwn`inbound webhook on`];
  if (integration.channel !== 'email' || !integration.active) return [];
  return [mrkdwn`🟡 no inbound webhook: its bounces may never arrive`];
}
