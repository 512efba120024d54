import { isDeepStrictEqual } from 'node:util';
import type { IncidentKind } from '../incidents/incident.ts';
import { type VerdictClass, WATCHED_VERDICTS } from '../judging/verdict.ts';
import { isAmong } from '../lib/fold.ts';
import type { Watch, WatchFilter, WatchSettings } from './settings.ts';

// What watches are about, and which of two is about more.

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
  if (silence === 'off') return false;
  if (workflow === null) return true;
  return (critical || silence === 'all') && isAmong([workflow, workflowName], filter.workflows);
}

/** Whether a filter covers something that the other one doesn't. */
function coversMore(filter: WatchFilter, than: WatchFilter): boolean {
  // Without a verdict, a filter covers all but warnings.
  if (filter.verdicts.includes('warning') && !than.verdicts.includes('warning')) return true;
  return (Object.keys(filter) as (keyof WatchFilter)[]).some((name) => {
    const names: readonly string[] = filter[name];
    const others: readonly string[] = than[name];
    return others.length > 0 && (names.length === 0 || names.some((value) => !others.includes(value)));
  });
}

/** A filter that covers whatever one of two covers. */
export function unionOf(filter: WatchFilter, other: WatchFilter): WatchFilter {
  const union = Object.entries(filter).map(([name, names]) => [name, joined(names, other[name as keyof WatchFilter])]);
  const verdicts = joined(filter.verdicts, other.verdicts);
  // Without a verdict, a filter covers all but warnings.
  const hasWarnings = [...filter.verdicts, ...other.verdicts].includes('warning');
  const all = verdicts.length === 0 && hasWarnings ? WATCHED_VERDICTS : verdicts;
  return { ...(Object.fromEntries(union) as WatchFilter), verdicts: all };
}

/** Without a name, all of them are covered. */
const joined = <Name extends string>(names: readonly Name[], others: readonly Name[]): readonly Name[] =>
  names.length === 0 || others.length === 0 ? [] : [...new Set([...names, ...others])];

/** Whether a post of `other` tells the channel, and whom `watch` mentions, all that `watch` covers. */
export function notifiesFor(other: Watch, watch: Watch): boolean {
  return ringsFor(other, watch) && !coversMore(watch.settings.filter, other.settings.filter);
}

/** Whether a post of `other` is in the channel of `watch`, and rings whom `watch` would mention. */
export function ringsFor(other: Watch, watch: Watch): boolean {
  const { mention } = watch.settings;
  return other.channel === watch.channel && (mention === null || isDeepStrictEqual(other.settings.mention, mention));
}
