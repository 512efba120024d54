import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import type { IncidentKind } from '../incidents/incident.ts';
import { ALL_FAILURES, type FailureFilter, FILTER_NAMES } from '../judging/filter.ts';
import type { VerdictClass, WATCHED_VERDICTS } from '../judging/verdict.ts';
import { isAmong } from '../lib/fold.ts';
import { typableZone } from '../lib/input/time-zone.ts';
import type { ClockRange, QuietTimes } from '../lib/time/wall-clock.ts';
import { fields } from '../service/schema.ts';
import type { WatchRow } from './tables.ts';

export const Mention = z.object({ kind: z.enum(['person', 'user-group']), id: z.string() });
export type Mention = Readonly<z.output<typeof Mention>>;

/** No environments means all. Contacts are masked. */
export interface WatchFilter extends Omit<FailureFilter, 'verdicts'> {
  environments: readonly string[];
  verdicts: readonly (typeof WATCHED_VERDICTS)[number][];
}

export interface Threshold {
  failures: number;
  withinMs: number;
  /** From 0 to 1. */
  rate: number | null;
}

/** Workflows whose silence a watch reports beside the environment's; `off`: none at all. */
export const SILENCES = ['critical', 'all', 'off'] as const;
export type Silence = (typeof SILENCES)[number];

export interface WatchSettings {
  filter: WatchFilter;
  threshold: Threshold | null;
  everyMs: number;
  escalateMs: number | null;
  mention: Mention | null;
  /** Of each day. */
  quiet: ClockRange | null;
  /** Whole days, 0: Sunday. */
  quietDays: readonly number[];
  timeZone: string;
  /** Null: none. */
  summaryAt: number | null;
  /** A weekly summary's day, 0: Sunday; null: it's daily. */
  summaryDay: number | null;
  /** The share of attempts that should succeed, for the weekly summary. */
  target: number | null;
  hasThread: boolean;
  hasAllClear: boolean;
  hasChanges: boolean;
  silence: Silence;
}

export type Watch = Readonly<WatchRow>;

export const quietTimes = ({ quiet, quietDays }: WatchSettings): QuietTimes => ({ hours: quiet, days: quietDays });

export const EVERYTHING: WatchFilter = { ...ALL_FAILURES, environments: [], verdicts: [] };

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
/** A newer version's verdict covers nothing. */
const Verdicts = z
  .array(z.custom<WatchFilter['verdicts'][number]>((name) => typeof name === 'string'))
  .readonly()
  .default([]);
const Weekday = z.number().int().min(0).max(6);
/** A time of day. */
const Minutes = z
  .number()
  .min(0)
  .lt(24 * 60);

export const StoredFilter = z.object({ ...fields(Names, ...FILTER_NAMES, 'environments'), verdicts: Verdicts });

/** Older watches lack newer settings. */
export const StoredSettings = z.object({
  filter: StoredFilter,
  threshold: z
    .object({ failures: z.number(), withinMs: z.number(), rate: z.number().nullable() })
    .nullable()
    .default(null),
  everyMs: z.number().default(USUAL_SETTINGS.everyMs),
  escalateMs: z.number().nullable().default(null),
  mention: Mention.nullable().default(null),
  quiet: z.object({ from: Minutes, to: Minutes }).nullable().default(null),
  quietDays: z.array(Weekday).max(6).default([]),
  timeZone: z
    .string()
    .refine((name) => typableZone(name) !== null)
    .default(USUAL_SETTINGS.timeZone),
  summaryAt: Minutes.nullable().default(USUAL_SUMMARY_AT),
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

export const isAbout = ({ environments }: Pick<WatchFilter, 'environments'>, environment: string): boolean =>
  isAmong([environment], environments);

/** What decides whether a watch can be about an incident at all. */
export interface Watchable {
  kind: IncidentKind;
  environment: string;
  channel: string;
  provider: string | null;
  verdictClass: VerdictClass;
}

/** A service in trouble concerns all that watch its environment. A silence is covered by `coversSilence`. */
export function mayCover(
  filter: WatchFilter,
  { kind, environment, channel, provider, verdictClass }: Watchable,
): boolean {
  if (!isAbout(filter, environment)) return false;
  if (kind !== 'failures') return true;
  const isHere = isAmong([channel], filter.channels) && isAmong([provider], filter.providers);
  return isHere && ['announced', ...filter.verdicts].includes(verdictClass);
}

export interface SilentWorkflow {
  /** Null: the whole environment. */
  workflow: string | null;
  workflowName: string | null;
  critical: boolean;
}

export function coversSilence({ silence, filter }: WatchSettings, silent: SilentWorkflow): boolean {
  const { workflow, workflowName, critical } = silent;
  if (silence === 'off' || workflow === null) return silence !== 'off';
  return (critical || silence === 'all') && isAmong([workflow, workflowName], filter.workflows);
}

/** Without a verdict, a filter covers all but warnings. */
export function coversMore(before: WatchFilter, after: WatchFilter): boolean {
  if (after.verdicts.includes('warning') && !before.verdicts.includes('warning')) return true;
  return (Object.keys(after) as (keyof WatchFilter)[]).some((name) => {
    const was: readonly string[] = before[name];
    const is: readonly string[] = after[name];
    return was.length > 0 && (is.length === 0 || is.some((value) => !was.includes(value)));
  });
}

/** Whether `other` notifies the channel, and whom `watch` mentions, of all that `watch` covers. */
export function notifiesFor(other: Watch, watch: Watch): boolean {
  return isRungBy(other, watch) && !coversMore(other.settings.filter, watch.settings.filter);
}

/** A watch whose mention wasn't rung still owes it. */
export function isRungBy(other: Watch, watch: Watch): boolean {
  const { mention } = watch.settings;
  return other.channel === watch.channel && (mention === null || isDeepStrictEqual(other.settings.mention, mention));
}
