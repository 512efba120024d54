import { z } from 'zod';
import type { Payload } from '../lib/text/payload.ts';
import { FreeText } from '../lib/text/scrub.ts';
import { type BodyReader, type Fixed, flag, reader, text, texts } from './reader.ts';

/** What all events of a trigger can have (contract, "Trigger event item"). */
export interface TriggerOptions {
  readonly overrides: Payload | null;
  readonly actor: string | null;
  readonly tenant: string | null;
  readonly context: Readonly<Record<string, string>> | null;
}

/** One API event of a bulk trigger, for one recipient. */
export interface TriggerItem {
  readonly workflow: string;
  readonly subscriberId: string;
  readonly transactionId: string;
  readonly payload: Payload;
  /** Updates the subscriber; null for a plain subscriber ID, which leaves the profile unchanged (field notes, "Trigger"). */
  readonly profile: Payload | null;
  readonly options: TriggerOptions;
}

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

const WireResult = z.object({
  acknowledged: flag,
  status: z.string(),
  // The contract has a list. One text is what is most likely sent instead, and its loss would leave a refusal without a reason.
  error: z.union([texts, z.string()]),
  transactionId: text,
});

/** The outcome of one item, matched by index. `status` is an open list. */
export type TriggerResult = Fixed<ReturnType<typeof resultOf>>;

function resultOf(wire: z.infer<typeof WireResult>) {
  return {
    acknowledged: wire.acknowledged ?? false,
    status: new FreeText(wire.status).toString(),
    errors: [wire.error ?? []].flat().map((error) => new FreeText(error).toString()),
    transactionId: wire.transactionId || null,
  };
}

/** Replaces a result that couldn't be read: its event may or may not have been accepted, which only reading can show. */
export const UNREADABLE_RESULT: TriggerResult = {
  acknowledged: false,
  status: 'unreadable',
  errors: [],
  transactionId: null,
};

const readResult = reader(WireResult, (wire): TriggerResult => resultOf(wire));

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
