import { isSending } from '../lookups/integrations-found.ts';
import { isChannel, type TriggeredEvent } from '../service/event.ts';
import { type Integration, ownEnvironmentId } from '../service/integration.ts';
import type { Listed } from '../service/query.ts';
import { type CheckResult, checkResult, counted, fine } from './check-result.ts';

type Seen = Pick<TriggeredEvent, 'serviceEnvironmentId' | 'jobs' | 'listsSteps' | 'channels'>;

/**
 * Checks whether the channels in the newest events can send: each one in use needs an active integration, and bounces of emails come only
 * by an inbound webhook. The events show which of the organization's integrations are the environment's own. What they don't show, or an
 * integration that couldn't be read leaves open, is reported as unknown.
 */
export function judgeIntegrations(
  subject: string,
  events: readonly Seen[],
  listed: Listed<Integration>,
): CheckResult[] {
  const inUse = [...new Set(events.flatMap(stepTypes))].filter(isChannel);
  if (inUse.length === 0) return [fine(subject, nothingInUse(events))];
  const named = events.find(({ serviceEnvironmentId }) => serviceEnvironmentId !== null)?.serviceEnvironmentId ?? null;
  const home = ownEnvironmentId(listed.items, named);
  if (home === null && listed.items.length > 0) return [checkResult('unknown', subject, NO_HOME)];
  const own = listed.items.filter(({ serviceEnvironmentId }) => serviceEnvironmentId === home);
  const troubles = [
    ...inUse.flatMap((channel) => channelTrouble(subject, channel, own, listed.unreadable.length)),
    ...bounces(subject, own),
  ];
  const channels = inUse.map((channel) => nameOf(channel).noun).join(', ');
  return troubles.length > 0
    ? troubles
    : [fine(subject, `Each channel in use has an active integration: ${channels}.`)];
}

/** Returns the types of an event's steps, which a list can name without showing the steps. */
function stepTypes({ jobs, listsSteps, channels }: Seen): readonly string[] {
  return listsSteps ? jobs.map(({ type }) => type) : channels;
}

function nothingInUse(events: readonly Seen[]): string {
  if (events.length === 0) return 'There are no events, so nothing shows which channels are in use.';
  if (!events.some(({ listsSteps }) => listsSteps))
    return "The newest events don't list their steps, so nothing shows which channels are in use.";
  return "The newest events don't use any channel.";
}

const NO_HOME = {
  what: "The newest events don't say which integrations are this environment's.",
  next: '/notif integrations lists them all.',
};

function channelTrouble(
  subject: string,
  channel: string,
  own: readonly Integration[],
  unreadable: number,
): CheckResult[] {
  const known = own.filter((integration) => integration.channel === channel && !integration.deleted);
  if (known.some(isSending)) return [];
  const name = nameOf(channel);
  if (unreadable > 0) return [notRead(subject, name, unreadable)];
  const { noun, pronoun } = name;
  if (known.length === 0) {
    return [
      checkResult('problem', subject, {
        what: `Workflows send ${noun}, but there's no integration for ${pronoun}.`,
        next: "Add one in the service's dashboard.",
      }),
    ];
  }
  return [
    checkResult('problem', subject, {
      what: `Workflows send ${noun}, but no integration for ${pronoun} is active:`,
      about: known.map(({ name }) => ({ kind: 'word', id: name })),
      next: "Activate one in the service's dashboard.",
    }),
  ];
}

function notRead(subject: string, { noun, pronoun }: ChannelName, unreadable: number): CheckResult {
  return checkResult('unknown', subject, {
    what: `Workflows send ${noun}: it is unknown whether an integration for ${pronoun} is active, since ${counted(unreadable, 'integration')} couldn't be read.`,
    next: "The log says which fields are not as the contract has them: contact the service's owners.",
  });
}

interface ChannelName {
  readonly noun: string;
  readonly pronoun: 'it' | 'them';
}

const NAMES: ReadonlyMap<string, ChannelName> = new Map([
  ['in_app', { noun: 'in-app messages', pronoun: 'them' }],
  ['email', { noun: 'email', pronoun: 'it' }],
  ['sms', { noun: 'SMS', pronoun: 'it' }],
  ['chat', { noun: 'chat messages', pronoun: 'them' }],
  ['push', { noun: 'push notifications', pronoun: 'them' }],
]);

function nameOf(channel: string): ChannelName {
  return NAMES.get(channel) ?? { noun: channel, pronoun: 'it' };
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
