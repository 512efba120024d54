import { isSending } from '../lookups/integrations-found.ts';
import { isChannel, type TriggeredEvent } from '../service/event.ts';
import type { Integration } from '../service/integration.ts';
import { type CheckResult, checkResult, fine } from './check-result.ts';

/**
 * Checks whether the channels in the newest events can send: each one in use needs an active integration, and bounces of emails come only
 * by an inbound webhook. The events show which of the organization's integrations are the environment's own.
 */
export function judgeIntegrations(
  subject: string,
  events: readonly Pick<TriggeredEvent, 'serviceEnvironmentId' | 'jobs'>[],
  all: readonly Integration[],
): CheckResult[] {
  const homes = new Set(events.map(({ serviceEnvironmentId }) => serviceEnvironmentId));
  const own = all.filter(({ serviceEnvironmentId }) => homes.has(serviceEnvironmentId));
  const inUse = [...new Set(events.flatMap(({ jobs }) => jobs.map(({ type }) => type)))].filter(isChannel);
  const troubles = [...inUse.flatMap((channel) => channelTrouble(subject, channel, own)), ...bounces(subject, own)];
  return troubles.length > 0 ? troubles : [fine(subject, inUseWords(inUse))];
}

function inUseWords(inUse: readonly string[]): string {
  if (inUse.length === 0) return 'The newest events send by no channel.';
  return `Each channel in use has an active one: ${inUse.join(', ')}.`;
}

function channelTrouble(subject: string, channel: string, own: readonly Integration[]): CheckResult[] {
  const known = own.filter((integration) => integration.channel === channel && !integration.deleted);
  if (known.some(isSending)) return [];
  const next = `Add one for ${channel} in the service's dashboard, or take the step out of the workflows.`;
  if (known.length === 0)
    return [checkResult('problem', subject, { what: `Events send by ${channel}, and there is none for it.`, next })];
  const what = `Events send by ${channel}, and none for it is active:`;
  const about = known.map(({ name }) => ({ kind: 'word', id: name }) as const);
  return [checkResult('problem', subject, { what, about, next: "Activate one in the service's dashboard." })];
}

/** Requires false, not null: a service that doesn't mention the webhook may well have one. */
function bounces(subject: string, own: readonly Integration[]): CheckResult[] {
  const deaf = own.filter((one) => one.channel === 'email' && isSending(one) && one.inboundWebhook === false);
  if (deaf.length === 0) return [];
  return [
    checkResult('advice', subject, {
      what: 'Bounces are never reported for email sent with',
      about: deaf.map(({ name }) => ({ kind: 'word', id: name })),
      next: "Turn its inbound webhook on in the service's dashboard, and enter the address at the provider.",
    }),
  ];
}
