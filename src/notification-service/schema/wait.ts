import { z } from 'zod';
import type { Schedule, Wait } from '../../domain/service/wait.ts';
import { FreeText } from '../../domain/text/free-text.ts';
import type { JsonObject } from '../../domain/text/payload.ts';
import { isObject } from '../../domain/text/same-json.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../domain/time/durations.ts';
import { dateOf } from './date.ts';
import { flag, freeTextOf, optional, text } from './fields.ts';

/** Contract, DigestRegular's and DelayRegular's `unit`. A month is the longest one, so that no step is called late too early. */
const UNIT_MS = new Map([
  ['seconds', SECOND_MS],
  ['minutes', MINUTE_MS],
  ['hours', HOUR_MS],
  ['days', DAY_MS],
  ['weeks', 7 * DAY_MS],
  ['months', 31 * DAY_MS],
]);

const amount = optional(z.number().nonnegative());
/** The activity's lists of days contain numbers, the workflow's texts. */
const word = z.union([z.string(), z.number()]);
const words = optional(z.array(word));

/** Contract, "TimedConfig". */
const WireSchedule = z.object({
  atTime: text,
  weekDays: words,
  monthDays: words,
  monthlyType: text,
  ordinal: optional(word),
  ordinalValue: text,
  cronExpression: text,
  untilDate: text,
});

/** Contract, "DigestMetadata", and a step's `metadata`. */
export const WireWait = z.object({
  type: text,
  amount,
  unit: text,
  backoffAmount: amount,
  backoffUnit: text,
  digestKey: text,
  events: optional(z.array(z.unknown())),
  updateMode: flag,
  timed: optional(WireSchedule),
  delayPath: text,
});
type WireWait = z.infer<typeof WireWait>;

type Maybe<Value> = Value | null | undefined;

/**
 * Returns how a digest or delay step waits, from a job's `digest` and its step's `metadata`; the job's own takes precedence. Null if there
 * is neither. `payload` contains the date of a scheduled delay.
 */
export function waitOf(digest: Maybe<WireWait>, metadata: Maybe<WireWait>, payload: JsonObject): Wait | null {
  if (!digest && !metadata) return null;
  const wire = firstOf(digest ?? {}, metadata ?? {});
  return {
    type: wire.type ?? null,
    ms: msOf(wire.amount, wire.unit),
    backoffMs: msOf(wire.backoffAmount, wire.backoffUnit),
    until: dateOf(wire.timed?.untilDate) ?? (wire.delayPath ? dateAt(wire.delayPath, payload) : null),
    schedule: wire.timed ? scheduleOf(wire.timed) : null,
    collectsBy: freeTextOf(wire.digestKey),
    collected: wire.events?.length ?? null,
    isUpdated: wire.updateMode ?? false,
    dateField: freeTextOf(wire.delayPath),
  };
}

/** Takes each field from the first, or from the second if the first has none. */
function firstOf(first: WireWait, second: WireWait): WireWait {
  const given = Object.entries(first).filter(([, value]) => value !== undefined && value !== null);
  return { ...second, ...Object.fromEntries(given) };
}

function msOf(amount: Maybe<number>, unit: Maybe<string>): number | null {
  const unitMs = unit ? UNIT_MS.get(unit) : undefined;
  return typeof amount === 'number' && unitMs !== undefined ? amount * unitMs : null;
}

function scheduleOf(wire: z.infer<typeof WireSchedule>): Schedule {
  return {
    atTime: freeTextOf(wire.atTime),
    weekDays: (wire.weekDays ?? []).map((day) => new FreeText(String(day))),
    monthDays: (wire.monthDays ?? []).map((day) => new FreeText(String(day))),
    monthlyType: freeTextOf(wire.monthlyType),
    ordinal: freeTextOf(wire.ordinal?.toString()),
    ordinalValue: freeTextOf(wire.ordinalValue),
    cron: freeTextOf(wire.cronExpression),
  };
}

/** Returns the date at a path such as `order.sendAt` or `payload.order.sendAt`. */
function dateAt(path: string, payload: JsonObject): Date | null {
  const steps = path.replace(/^payload\./, '').split('.');
  const value = steps.reduce<unknown>((inner, step) => (isObject(inner) ? inner[step] : undefined), payload);
  return typeof value === 'string' ? dateOf(value) : null;
}
