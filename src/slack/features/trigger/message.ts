import type { Delivered } from '../../../failures/judge.ts';
import type { Environment } from '../../../lib/environment.ts';
import { ServiceError } from '../../../lib/errors.ts';
import type { TriggerItem } from '../../../service/trigger.ts';
import type { TriggerPlan } from '../../../triggers/plan.ts';
import { context, type MessageBlock, type MessageContent, section, sentence } from '../../kit/blocks.ts';
import { channelVia } from '../../kit/incident/names.ts';
import { badge, code, joined, type Markup, mrkdwn, named, plural } from '../../kit/text.ts';

export const SENT_BEFORE = sentence(mrkdwn`This form was submitted already: it's sent only once.`);

export function sendingLine({ events, workflow }: TriggerPlan, environment: Environment): Markup {
  return mrkdwn`⏳ Sending ${plural(events.length, 'event')} of *${workflow}* in ${badge(environment)} …`;
}

export function sentMessage(sent: readonly TriggerItem[], environment: Environment): MessageContent {
  const { workflow = '', transactionId = '' } = sent[0] ?? {};
  const what = mrkdwn`Sent ${plural(sent.length, 'event')} of *${workflow}* in ${badge(environment)}.`;
  const lookUp = code(`/notif event ${transactionId} env:${environment.name}`, 300);
  return sentence(mrkdwn`⏳ ${what} Follow it in your DMs with Notif. Or look it up: ${lookUp}`);
}

export function whyNothingWasSent(error: unknown, { events }: TriggerPlan): Markup {
  const fields = error instanceof ServiceError && error.problem.kind === 'refused' ? error.problem.fields : [];
  const indexes = fields.flatMap((field) => /^events\.(\d+)(?:\.|$)/.exec(field)?.[1] ?? []);
  const rows = [...new Set(indexes.map(Number))];
  if (rows.length === 0) return mrkdwn`Nothing was sent.`;
  const objects = rows.map((index) => mrkdwn`row ${index + 1} (${code(events[index]?.subscriberId ?? '')})`);
  return mrkdwn`Nothing was sent. It objects to ${joined(objects, ', ')}.`;
}

export function againBlocks(
  { workflow, subscriberId, environment }: { workflow: string; subscriberId: string; environment: Environment },
  delivered: readonly Pick<Delivered, 'channel' | 'provider'>[],
): MessageBlock[] {
  const channels = [...new Set(delivered.map(({ channel, provider }) => channelVia(channel, provider)))];
  const names = channels.map((channel) => mrkdwn`*${named(channel)}*`);
  const warning = mrkdwn`⚠️ Already delivered, and delivered once more by this: ${joined(names, ', ')}.`;
  return [
    section(mrkdwn`Send *${workflow}* to ${code(subscriberId)} again in ${badge(environment)}`),
    ...(names.length === 0 ? [] : [section(warning)]),
    context(mrkdwn`Not carried over: actor, tenant and attachments.`),
  ];
}
