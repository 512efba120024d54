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
import { says } from './attempts.ts';

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

const DELETED = new FreeText('Subscriber was deleted while this waited');

/** OneSignal answers 200 with an empty ID if it reaches nobody. */
function withReach(detail: ExecutionDetail, { type }: Job): ExecutionDetail {
  if (type !== 'push' || !says('sent', detail)) return detail;
  const isNobody = PushAnswer.safeParse(jsonIn(String(detail.raw ?? ''))).success;
  return isNobody ? { ...detail, status: 'Failed', raw: null, detail: NOBODY } : detail;
}

const PushAnswer = z.object({ result: z.object({ id: z.literal('') }) });
const NOBODY = new FreeText("Sent to nobody: the provider knows none of the subscriber's devices");

function withIntegration(detail: ExecutionDetail): ExecutionDetail {
  const { namedIntegration, status } = detail;
  if (namedIntegration === null || status !== 'Failed' || !says('noIntegration', detail)) return detail;
  const sentence = `The trigger names the integration ${namedIntegration}, which isn't active`;
  return { ...detail, raw: null, detail: new FreeText(sentence) };
}

/** The service found no integration to send it by. */
export const lacksIntegration = (detail: ExecutionDetail): boolean =>
  says('noIntegration', detail) || (detail.namedIntegration !== null && says('beforeProvider', detail));
