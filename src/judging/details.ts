import { z } from 'zod';
import type { Work } from '../lib/pauses.ts';
import { FreeText, jsonIn } from '../lib/text/scrub.ts';
import {
  type ExecutionDetail,
  failedDetail,
  isDelivery,
  type Job,
  lacksReason,
  type TriggeredEvent,
} from '../service/event.ts';
import { fields, items, text } from '../service/schema.ts';
import { says } from './detail-kinds.ts';

/** What a step of a deleted subscriber gets as its detail. */
const DELETED = new FreeText('Subscriber was deleted while this waited');
const NOBODY = new FreeText("Sent to nobody: the provider knows none of the subscriber's devices");

/** Says what the service means where its details blame the subscriber, or say nothing. */
export function* clarified(job: Job, { isSubscriberDeleted }: TriggeredEvent): Work<Job> {
  const details: ExecutionDetail[] = [];
  for (const detail of job.details) {
    yield;
    details.push(withIntegration(withReach(detail, job)));
  }
  // A step whose subscriber was deleted during its wait fails without a detail.
  if (isSubscriberDeleted && !isDelivery(job) && lacksReason(job))
    details.push(failedDetail(DELETED, { id: `${job.id} deleted`, createdAt: job.updatedAt }));
  return { ...job, details };
}

/** OneSignal answers 200 with an empty ID if it reaches nobody. */
const NobodyAnswer = z.object({ result: z.object({ id: z.literal('') }) });

function withReach(detail: ExecutionDetail, { type }: Job): ExecutionDetail {
  if (type !== 'push' || !says('sent', detail)) return detail;
  const isNobody = NobodyAnswer.safeParse(jsonIn(String(detail.raw ?? ''))).success;
  return isNobody ? { ...detail, status: 'Failed', raw: null, detail: NOBODY } : detail;
}

/** The service says that the subscriber has no active integration, also where the trigger named one that isn't. */
function withIntegration(detail: ExecutionDetail): ExecutionDetail {
  const { namedIntegration, status } = detail;
  if (namedIntegration === null || status !== 'Failed' || !says('noIntegration', detail)) return detail;
  const sentence = `The trigger names the integration ${namedIntegration}, which isn't active`;
  return { ...detail, raw: null, detail: new FreeText(sentence) };
}

/** The service found no integration to send it by. */
export const lacksIntegration = (detail: ExecutionDetail): boolean =>
  says('noIntegration', detail) || (detail.namedIntegration !== null && says('beforeProvider', detail));

type SkippedBy = 'subscriber' | 'workflow' | 'schedule' | 'throttle' | 'condition';

const Preferences = z.object({ overrides: items(z.object(fields(text, 'channel', 'source'))) });

/** Returns null for a detail that doesn't say why its step was skipped. */
export function skippedBy(detail: ExecutionDetail, channel: string): SkippedBy | null {
  if (!says('skip', detail)) return null;
  if (says('preferences', detail)) return whosePreferences(detail, channel);
  if (says('schedule', detail)) return 'schedule';
  return says('throttle', detail) ? 'throttle' : 'condition';
}

/** The sentence names the subscriber's preferences also where these only repeat the workflow's. */
function whosePreferences({ detail, raw }: ExecutionDetail, channel: string): SkippedBy {
  const { overrides = [] } = Preferences.safeParse(jsonIn(String(raw ?? ''))).data ?? {};
  const source = overrides.find((override) => override.channel === channel)?.source ?? null;
  const isSubscribers = source === null ? /\b(?:subscriber|user)\b/i.test(String(detail)) : source === 'subscriber';
  return isSubscribers ? 'subscriber' : 'workflow';
}
