import type { ExecutionDetail, Job } from '../../domain/event.ts';
import { FreeText } from '../../domain/free-text.ts';
import { type JsonObject, Payload } from '../../domain/payload.ts';
import { listAt, maybeCount, maybeFlag, maybeObject, maybeText, objectAt, textAt } from './by-hand.ts';
import { conditionsOf } from './condition.ts';
import { dateOf } from './date.ts';
import { freeTextOf, isObject } from './fields.ts';
import { waitOf } from './wait.ts';

/** Contract, "ActivityJob", only the fields that are used. `payload` is the event's, for a job without one of its own. */
export function jobAt(value: unknown, field: string, payload: JsonObject): Job {
  const wire = objectAt(value, field);
  const step = maybeObject(wire.step, 'jobs.step');
  return {
    id: textAt(wire._id, 'jobs._id'),
    type: textAt(wire.type, 'jobs.type'),
    status: textAt(wire.status, 'jobs.status'),
    provider: maybeText(wire.providerId, 'jobs.providerId'),
    stepName: maybeText(step?.name, 'jobs.step.name'),
    updatedAt: dateOf(maybeText(wire.updatedAt, 'jobs.updatedAt')),
    details: listAt(wire.executionDetails, 'jobs.executionDetails', detailAt),
    wait: waitOf(wire.digest, step?.metadata, isObject(wire.payload) ? wire.payload : payload),
    scheduleExtensions: maybeCount(wire.scheduleExtensionsCount, 'jobs.scheduleExtensionsCount'),
    conditions: conditionsOf(step?.filters),
    overrides: new Payload(isObject(wire.overrides) ? wire.overrides : {}),
    issues: new Payload(isObject(step?.issues) ? step.issues : {}),
  };
}

/** Contract, "ExecutionDetail". */
function detailAt(value: unknown, field: string): ExecutionDetail {
  const wire = objectAt(value, field);
  return {
    id: textAt(wire._id, 'jobs.executionDetails._id'),
    status: textAt(wire.status, 'jobs.executionDetails.status'),
    detail: new FreeText(maybeText(wire.detail, 'jobs.executionDetails.detail') ?? ''),
    raw: freeTextOf(maybeText(wire.raw, 'jobs.executionDetails.raw')),
    source: maybeText(wire.source, 'jobs.executionDetails.source') ?? '',
    isRetry: maybeFlag(wire.isRetry, 'jobs.executionDetails.isRetry'),
    isTest: maybeFlag(wire.isTest, 'jobs.executionDetails.isTest'),
    provider: maybeText(wire.providerId, 'jobs.executionDetails.providerId'),
    createdAt: dateOf(maybeText(wire.createdAt, 'jobs.executionDetails.createdAt')),
  };
}
