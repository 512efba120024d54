import { z } from 'zod';
import { Payload } from '../lib/text/payload.ts';
import { scrubEcho } from '../lib/text/scrub.ts';
import { optional } from './schema.ts';

export interface TriggerItem {
  workflow: string;
  subscriberId: string;
  transactionId: string;
  payload: Payload;
  profile: Payload | null;
  options: {
    overrides: Payload | null;
    actor: string | null;
    tenant: string | null;
    context: Readonly<Record<string, string>> | null;
  };
}

export function triggerBody(item: TriggerItem): object {
  const { workflow, subscriberId, profile, payload, transactionId, options } = item;
  const { overrides, actor, tenant, context } = options;
  const recipient = new Payload({ subscriberId });
  return {
    name: workflow,
    to: [(profile?.with(recipient) ?? recipient).forTrigger()],
    payload: payload.forTrigger(),
    transactionId,
    ...(overrides && { overrides: overrides.forTrigger() }),
    ...(actor && { actor }),
    ...(tenant && { tenant }),
    ...(context && { context }),
  };
}

export interface TriggerResult {
  status: string;
  errors: readonly string[];
}

const ResultBody: z.ZodType<TriggerResult> = z
  .object({ status: z.string(), error: optional(z.union([z.array(z.string()), z.string()])) })
  .transform(({ status, error }) => ({
    status: scrubEcho(status),
    errors: [error ?? []].flat().map((words) => scrubEcho(words.replace(/^Validation failed for \w+: /, ''))),
  }));

/** Results match by index (docs/service.md), so their number has to match. */
export function resultsOf(count: number): z.ZodType<readonly TriggerResult[]> {
  return z.array(ResultBody.catch({ status: 'unreadable', errors: [] })).length(count);
}
