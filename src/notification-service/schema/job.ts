import { z } from 'zod';
import type { ExecutionDetail, Job } from '../../domain/service/event.ts';
import { FreeText } from '../../domain/text/free-text.ts';
import { type JsonObject, Payload } from '../../domain/text/payload.ts';
import { parseCondition, WireCondition } from './condition.ts';
import { dateOf } from './date.ts';
import { anyObject, count, flag, freeTextOf, optional, text } from './fields.ts';
import { WireWait, waitOf } from './wait.ts';

/** Contract, "ExecutionDetail". Required: the ID, to count it once, and the status, without which nobody knows whether it is a failure. */
const WireDetail = z.object({
  _id: z.string(),
  status: z.string(),
  detail: text,
  raw: text,
  source: text,
  isRetry: flag,
  isTest: flag,
  providerId: text,
  createdAt: text,
});

/** Contract, "ActivityStep". */
const WireStep = z.object({
  name: text,
  metadata: optional(WireWait),
  filters: optional(z.array(WireCondition)),
  issues: anyObject,
});

/** Contract, "ActivityJob", only the fields that Notif uses. A job without a type or status keeps its failures. */
export const WireJob = z.object({
  _id: z.string(),
  type: text,
  status: text,
  providerId: text,
  step: optional(WireStep),
  updatedAt: text,
  executionDetails: optional(z.array(WireDetail)),
  digest: optional(WireWait),
  payload: anyObject,
  scheduleExtensionsCount: count,
  overrides: anyObject,
});

const UNKNOWN = 'unknown';

/** Converts a job. `payload` is the event's, for a job without its own. */
export function jobOf(wire: z.infer<typeof WireJob>, payload: JsonObject): Job {
  const { step } = wire;
  return {
    id: wire._id,
    type: wire.type ?? UNKNOWN,
    status: wire.status ?? UNKNOWN,
    provider: wire.providerId || null,
    stepName: step?.name || null,
    updatedAt: dateOf(wire.updatedAt),
    details: (wire.executionDetails ?? []).map(detailOf),
    wait: waitOf(wire.digest, step?.metadata, wire.payload ?? payload),
    scheduleExtensions: wire.scheduleExtensionsCount ?? 0,
    conditions: (step?.filters ?? []).map(parseCondition),
    overrides: new Payload(wire.overrides ?? {}),
    issues: new Payload(step?.issues ?? {}),
  };
}

function detailOf(wire: z.infer<typeof WireDetail>): ExecutionDetail {
  return {
    id: wire._id,
    status: wire.status,
    detail: new FreeText(wire.detail ?? ''),
    raw: freeTextOf(wire.raw),
    source: wire.source ?? '',
    isRetry: wire.isRetry ?? false,
    isTest: wire.isTest ?? false,
    provider: wire.providerId || null,
    createdAt: dateOf(wire.createdAt),
  };
}
