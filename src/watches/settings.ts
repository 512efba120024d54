import { z } from 'zod';
import { ALL_FAILURES, type FailureFilter, FILTER_NAMES } from '../judging/filter.ts';
import type { WATCHED_VERDICTS } from '../judging/verdict.ts';
import { typableZone } from '../lib/input/time-zone.ts';
import type { ClockRange, QuietTimes } from '../lib/time/wall-clock.ts';
import { fields } from '../service/schema.ts';
import type { WatchRow } from './tables.ts';

export const Mention = z.object({ kind: z.enum(['person', 'user-group']), id: z.string() });
export type Mention = Readonly<z.output<typeof Mention>>;

/** What a watch is about; an empty list covers all. Contacts are masked. */
export interface WatchFilter extends Omit<FailureFilter, 'verdicts'> {
  environments: readonly string[];
  verdicts: readonly (typeof WATCHED_VERDICTS)[number][];
}

/** An incident is told once so many failures, or such a share of the events, fall within a time. */
export interface Threshold {
  failures: number;
  withinMs: number;
  /** From 0 to 1; null: the number alone decides. */
  rate: number | null;
}

/** Workflows whose silence a watch reports beside the environment's; `off`: none at all. */
export const SILENCES = ['critical', 'all', 'off'] as const;
export type Silence = (typeof SILENCES)[number];

export interface WatchSettings {
  filter: WatchFilter;
  threshold: Threshold | null;
  /** At least so long between two posts. */
  everyMs: number;
  /** After so long, what is critical and not acknowledged is told again; null: never. */
  escalateMs: number | null;
  mention: Mention | null;
  /** The hours of each day in which nothing is posted. */
  quiet: ClockRange | null;
  /** Days on which nothing is posted, 0: Sunday. */
  quietDays: readonly number[];
  timeZone: string;
  /** When the summary is posted, in minutes of the day; null: there is none. */
  summaryAt: number | null;
  /** A weekly summary's day, 0: Sunday; null: it's daily. */
  summaryDay: number | null;
  /** The share of attempts that should succeed, for the weekly summary. */
  target: number | null;
  /** What happens to incidents is said in the thread of their post. */
  hasThread: boolean;
  /** That an incident is over is shown in the channel, too. */
  hasAllClear: boolean;
  /** Changes around its environments are posted. */
  hasChanges: boolean;
  silence: Silence;
}

export type Watch = Readonly<WatchRow>;

export const quietTimes = ({ quiet, quietDays }: WatchSettings): QuietTimes => ({ hours: quiet, days: quietDays });

export const EVERYTHING: WatchFilter = { ...ALL_FAILURES, environments: [], verdicts: [] };

/** 09:00, in minutes of the day. */
export const USUAL_SUMMARY_AT = 9 * 60;

export const USUAL_SETTINGS: WatchSettings = {
  filter: EVERYTHING,
  threshold: null,
  everyMs: 0,
  escalateMs: null,
  mention: null,
  quiet: null,
  quietDays: [],
  timeZone: 'UTC',
  summaryAt: USUAL_SUMMARY_AT,
  summaryDay: null,
  target: null,
  hasThread: true,
  hasAllClear: false,
  hasChanges: false,
  silence: 'critical',
};

const Names = z.array(z.string()).readonly().default([]);
/** A verdict that only a newer version knows covers nothing. */
const Verdicts = z
  .array(z.custom<WatchFilter['verdicts'][number]>((name) => typeof name === 'string'))
  .readonly()
  .default([]);
const Weekday = z.number().int().min(0).max(6);
/** A time of day. */
const MinutesOfDay = z
  .number()
  .min(0)
  .lt(24 * 60);

export const StoredFilter = z.object({ ...fields(Names, ...FILTER_NAMES, 'environments'), verdicts: Verdicts });

/** Settings as they are stored: older watches lack newer ones. */
export const StoredSettings = z.object({
  filter: StoredFilter,
  threshold: z
    .object({ failures: z.number(), withinMs: z.number(), rate: z.number().nullable() })
    .nullable()
    .default(null),
  everyMs: z.number().default(USUAL_SETTINGS.everyMs),
  escalateMs: z.number().nullable().default(null),
  mention: Mention.nullable().default(null),
  quiet: z.object({ from: MinutesOfDay, to: MinutesOfDay }).nullable().default(null),
  // A watch that is quiet on each day would never post.
  quietDays: z.array(Weekday).max(6).default([]),
  timeZone: z
    .string()
    .refine((name) => typableZone(name) !== null)
    .default(USUAL_SETTINGS.timeZone),
  summaryAt: MinutesOfDay.nullable().default(USUAL_SUMMARY_AT),
  summaryDay: Weekday.nullable().default(null),
  target: z.number().gt(0).lte(1).nullable().default(null),
  hasThread: z.boolean().default(true),
  hasAllClear: z.boolean().default(false),
  hasChanges: z.boolean().default(false),
  silence: z.enum(SILENCES).default(USUAL_SETTINGS.silence),
});

/** A watch whose settings can't be read covers nothing until somebody edits or removes it. */
export const UNREADABLE: WatchSettings = {
  ...USUAL_SETTINGS,
  filter: { ...EVERYTHING, environments: ["can't be read"] },
  summaryAt: null,
  silence: 'off',
};

export const isReadable = ({ settings }: Pick<Watch, 'settings'>): boolean => settings !== UNREADABLE;
