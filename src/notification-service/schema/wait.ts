import { z } from 'zod';
import { FreeText } from '../../domain/free-text.ts';
import type { JsonObject } from '../../domain/payload.ts';
import type { Schedule, Wait } from '../../domain/wait.ts';
import { dateOf } from './date.ts';
import { freeTextOf, isObject } from './fields.ts';

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** Contract, DigestRegular's and DelayRegular's `unit`. A month is the longest one, so that no step is called late too early. */
const UNIT_MS = new Map([
  ['seconds', SECOND_MS],
  ['minutes', MINUTE_MS],
  ['hours', HOUR_MS],
  ['days', DAY_MS],
  ['weeks', 7 * DAY_MS],
  ['months', 31 * DAY_MS],
]);

/** An odd field is a missing one: it must hide neither the rest nor its event. */
const word = z.string().nullable().catch(null);
const amount = z.number().nonnegative().nullable().catch(null);
const flag = z.boolean().catch(false);
const words = z.array(z.union([z.string(), z.number().transform(String)])).catch([]);

const WireSchedule = z.object({
  atTime: word,
  weekDays: words,
  monthDays: words,
  monthlyType: word,
  ordinal: z
    .union([z.string(), z.number().transform(String)])
    .nullable()
    .catch(null),
  ordinalValue: word,
  cronExpression: word,
  untilDate: word,
});

const WireWait = z.object({
  type: word,
  amount,
  unit: word,
  backoffAmount: amount,
  backoffUnit: word,
  digestKey: word,
  events: z.array(z.unknown()).nullable().catch(null),
  updateMode: flag,
  timed: WireSchedule.nullable().catch(null),
  delayPath: word,
});

/**
 * How a digest or delay step waits, from a job's `digest` and its step's `metadata`; the job's own goes first. Null where neither
 * is there. `payload` holds the date of a scheduled delay.
 */
export function waitOf(digest: unknown, metadata: unknown, payload: JsonObject): Wait | null {
  if (!isObject(digest) && !isObject(metadata)) return null;
  const wire = WireWait.parse(firstOf(objectOr(digest), objectOr(metadata)));
  const { timed, delayPath } = wire;
  return {
    type: wire.type,
    ms: msOf(wire.amount, wire.unit),
    backoffMs: msOf(wire.backoffAmount, wire.backoffUnit),
    until: dateOf(timed?.untilDate) ?? (delayPath === null ? null : dateAt(delayPath, payload)),
    schedule: timed === null ? null : scheduleOf(timed),
    collectsBy: freeTextOf(wire.digestKey),
    collected: wire.events?.length ?? null,
    isUpdated: wire.updateMode,
    dateField: freeTextOf(delayPath),
  };
}

/** Each field as the first has it or, where that says nothing, the second. */
function firstOf(first: JsonObject, second: JsonObject): JsonObject {
  return Object.fromEntries(Object.keys(WireWait.shape).map((field) => [field, first[field] ?? second[field]]));
}

function objectOr(value: unknown): JsonObject {
  return isObject(value) ? value : {};
}

function msOf(amount: number | null, unit: string | null): number | null {
  const unitMs = unit === null ? undefined : UNIT_MS.get(unit);
  return amount === null || unitMs === undefined ? null : amount * unitMs;
}

function scheduleOf(wire: z.infer<typeof WireSchedule>): Schedule {
  return {
    atTime: freeTextOf(wire.atTime),
    weekDays: wire.weekDays.map((day) => new FreeText(day)),
    monthDays: wire.monthDays.map((day) => new FreeText(day)),
    monthlyType: freeTextOf(wire.monthlyType),
    ordinal: freeTextOf(wire.ordinal),
    ordinalValue: freeTextOf(wire.ordinalValue),
    cron: freeTextOf(wire.cronExpression),
  };
}

/** The date at a path such as `order.sendAt` or `payload.order.sendAt`. */
function dateAt(path: string, payload: JsonObject): Date | null {
  const steps = path.replace(/^payload\./, '').split('.');
  const value = steps.reduce<unknown>((inner, step) => (isObject(inner) ? inner[step] : undefined), payload);
  return typeof value === 'string' ? dateOf(value) : null;
}
