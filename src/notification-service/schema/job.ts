import { z } from 'zod';
import type { ExecutionDetail, Job } from '../../domain/event.ts';
import { FreeText } from '../../domain/free-text.ts';
import { anything, count, dateOf, flag, freeTextOf, isObject, text } from './fields.ts';
import { waitOf } from './wait.ts';

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

/** Contract, "ActivityJob". */
export const WireJob = z.object({
  _id: z.string(),
  type: z.string(),
  status: z.string(),
  providerId: text,
  updatedAt: text,
  step: z.object({ name: text, metadata: anything }).nullish(),
  digest: anything,
  executionDetails: z.array(WireDetail).nullish(),
  overrides: anything,
  scheduleExtensionsCount: count,
});

export function jobOf(wire: z.infer<typeof WireJob>): Job {
  return {
    id: wire._id,
    type: wire.type,
    status: wire.status,
    provider: wire.providerId ?? null,
    stepName: wire.step?.name ?? null,
    updatedAt: dateOf(wire.updatedAt),
    details: (wire.executionDetails ?? []).map(detailOf),
    waitMs: waitOf(wire.digest) ?? waitOf(wire.step?.metadata),
    scheduleExtensions: wire.scheduleExtensionsCount ?? 0,
    hasOverrides: isObject(wire.overrides) && Object.keys(wire.overrides).length > 0,
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
    provider: wire.providerId ?? null,
    createdAt: dateOf(wire.createdAt),
  };
}
