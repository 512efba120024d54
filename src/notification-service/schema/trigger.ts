import { z } from 'zod';
import { FreeText } from '../../domain/free-text.ts';
import type { TriggerItem, TriggerResult } from '../../domain/query.ts';
import { text, texts } from './fields.ts';
import { type Reader, reader } from './reader.ts';

const WireResult = z.object({ acknowledged: z.boolean(), status: z.string(), error: texts, transactionId: text });

/**
 * The results of a bulk trigger, which match their events by index (field notes, "Trigger"): with one too few or one that can't
 * be read, no result can be told to belong to its event.
 */
export function readTriggerResults(expected: number): Reader<readonly TriggerResult[]> {
  return reader(z.array(WireResult).length(expected), (results) => results.map(resultOf));
}

function resultOf(wire: z.infer<typeof WireResult>): TriggerResult {
  return {
    acknowledged: wire.acknowledged,
    status: wire.status,
    errors: (wire.error ?? []).map((error) => new FreeText(error).toString()),
    transactionId: wire.transactionId ?? null,
  };
}

/** An item as the service takes it. A recipient with nothing but its id leaves the subscriber's profile alone. */
export function triggerBody({ workflow, subscriberId, profile, payload, transactionId, options }: TriggerItem): object {
  const { overrides, actor, tenant, context } = options;
  return {
    name: workflow,
    to: [{ ...profile?.forTrigger(), subscriberId }],
    payload: payload.forTrigger(),
    transactionId,
    ...(overrides && { overrides: overrides.forTrigger() }),
    ...(actor && { actor }),
    ...(tenant && { tenant }),
    ...(context && { context }),
  };
}
