import { z } from 'zod';
import { FreeText } from '../lib/text/scrub.ts';
import { type TriggerItem, type TriggerResult, UNREADABLE_RESULT } from './query.ts';
import { type BodyReader, flag, reader, text, texts } from './reader.ts';

const WireResult = z.object({
  acknowledged: flag,
  status: z.string(),
  // The contract has a list. One text is what is most likely sent instead, and its loss would leave a refusal without a reason.
  error: z.union([texts, z.string()]),
  transactionId: text,
});

const readResult = reader(
  WireResult,
  (wire): TriggerResult => ({
    acknowledged: wire.acknowledged ?? false,
    status: new FreeText(wire.status).toString(),
    errors: [wire.error ?? []].flat().map((error) => new FreeText(error).toString()),
    transactionId: wire.transactionId || null,
  }),
);

/**
 * Returns the reader of the results of a bulk trigger, which match their events by index (field notes, "Trigger"): with one too few or too
 * many, none can be matched. An unreadable result leaves only the outcome of its own event open.
 */
export function readTriggerResults(expected: number): BodyReader<readonly TriggerResult[]> {
  const readEach = reader(z.array(z.unknown()).length(expected), (results) => results.map(readResult));
  return (body) => {
    const all = readEach(body);
    if (!all.ok) return all;
    const odd = all.value.flatMap((read) => (read.ok ? read.odd : ['item']));
    return { ok: true, value: all.value.map((read) => (read.ok ? read.value : UNREADABLE_RESULT)), odd };
  };
}

/** A recipient with only an ID leaves the subscriber's profile unchanged. */
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
