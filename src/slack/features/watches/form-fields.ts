import { SEVERITIES } from '../../../judging/failure.ts';
import { WATCHED_VERDICTS } from '../../../judging/verdict.ts';
import type { Environment } from '../../../lib/environment.ts';
import { CHANNELS, channelName } from '../../../service/channels.ts';
import { WATCH_KEYS, type WatchKey } from '../../../watches/parse-settings.ts';
import { clockOf } from '../../../watches/setting-values.ts';
import { USUAL_SUMMARY_AT } from '../../../watches/settings.ts';
import type { Choice } from '../../kit/inputs.ts';
import { capitalized } from '../../kit/names.ts';
import { outcomeWords } from '../../kit/outcomes.ts';

/** The ID of a setting's block. */
export const field = (key: WatchKey | 'person'): string => `watch.${key}`;
export const choice = (value: string, label = value): Choice => ({ value, label });

const ALL = 'Choose none for all.';

export type Row = readonly [key: WatchKey, kind: 'menu' | 'search' | 'lines' | 'word', label: string, hint: string];

export const FIRST_ROWS: readonly Row[] = [
  ['env', 'menu', 'Environments', ALL],
  ['workflow', 'search', 'Workflows', ALL],
  ['provider', 'search', 'Providers', ALL],
];

export const OTHER_ROWS: readonly Row[] = [
  ['channel', 'menu', 'Delivery channels', ALL],
  ['subscriber', 'lines', 'Subscribers', 'IDs, exactly as triggered, one per line: user-0042'],
  ['email', 'lines', 'Email addresses', 'Their subscribers are looked up when you save.'],
  ['severity', 'menu', 'Severities', ALL],
  ['topic', 'search', 'Topics', ALL],
  ['context', 'lines', 'Contexts', 'Name and value, exactly as triggered: tenant:acme'],
  ['tag', 'lines', 'Tags', "The workflows' tags, one per line."],
  ['domain', 'lines', 'Mail domains', 'Of recipients, one per line: gmail.com'],
  ['verdict', 'menu', 'Verdicts', 'Choose none for all but warnings.'],
  ['min', 'word', 'Minimum failures', 'Empty to alert from the first failure.'],
  ['within', 'word', 'Within', 'For example 10m; at most 24h.'],
  ['rate', 'word', 'Minimum failure rate', 'For example 5%.'],
  ['every', 'word', 'Minimum time between alerts', 'For example 15m. Empty to alert right away.'],
  ['escalate', 'word', 'Escalate if critical after', '10m: mentions again; an Alertmanager can call. Empty for never.'],
  ['quiet', 'word', 'Quiet hours', 'For example 22:00-07:00; what begins then is announced at their end.'],
  ['quiet-days', 'word', 'Quiet days', 'For example sat-sun.'],
  ['summary', 'word', 'Summary', 'Daily: 09:00. Weekly: weekly-mon-09:00. Empty for none.'],
  ['target', 'word', 'Target', 'For the weekly summary: 99.5 percent of attempts.'],
  ['tz', 'word', 'Time zone', 'Of these times: Europe/Berlin'],
];

export const ROWS = [...FIRST_ROWS, ...OTHER_ROWS];

/** The settings that the folded form shows. */
const FIRST_KEYS: readonly WatchKey[] = ['env', 'workflow', 'provider', 'mention', 'min', 'within', 'rate', 'summary'];

/** What a form doesn't show stays as it is saved. */
export const hiddenIn = ({ isWhole }: { isWhole: boolean }): readonly WatchKey[] =>
  isWhole ? [] : WATCH_KEYS.filter((key) => !FIRST_KEYS.includes(key));

const SEARCHED = { workflow: 'workflows', provider: 'providers', topic: 'topics' } as const;
export const SEARCHES = Object.entries(SEARCHED).map(([key, kind]) => ({ id: `watch.${key}`, kind }));

/** The folded form has one menu for `min`, `within` and `rate`. */
export const SOON = 'watch.soon';
export const RIGHT_AWAY = 'now';
/** Their values are settings as they are typed. */
export const SOONS: readonly Choice[] = [
  choice(RIGHT_AWAY, 'Right away, from the first failure'),
  choice('min:5 within:10m', 'From 5 failures in 10 minutes'),
  choice('min:20 within:10m', 'From 20 failures in 10 minutes'),
  choice('min:1 within:10m rate:5%', "When 5% of a workflow's events fail"),
  choice('min:1 within:10m rate:20%', "When 20% of a workflow's events fail"),
];
export const SUMMARY = 'watch.summary-at';
export const SUMMARIES: readonly Choice[] = [
  choice('off', 'None'),
  choice(clockOf(USUAL_SUMMARY_AT), 'Daily, at 9:00'),
  choice('weekly-mon-09:00', 'Weekly, on Monday at 9:00'),
];

/** The field in which a new watch gets its channel. */
export const CHANNEL = 'watch.to';

/** What the menus of `kind` 'menu' offer. */
export const CHOICES: { [Key in WatchKey]?: (environments: readonly Environment[]) => readonly Choice[] } = {
  env: (environments) => environments.map(({ name, label }) => choice(name, label)),
  channel: () => CHANNELS.map((name) => choice(name, channelName(name))),
  severity: () => SEVERITIES.map((severity) => choice(severity)),
  verdict: () => WATCHED_VERDICTS.map((verdict) => choice(verdict, capitalized(outcomeWords(verdict)))),
};

export const SWITCHES = [
  { key: 'thread', label: "Post each incident's history in its thread", usual: 'on' },
  { key: 'all-clear', label: 'Post when an incident is resolved', usual: 'off' },
  { key: 'changes', label: 'Post changes to integrations and workflows, and deploys', usual: 'off' },
] as const;

/** Settings whose row is called otherwise, or that have none. */
const OTHER_LABELS: { [Key in WatchKey]?: string } = {
  min: 'Threshold',
  mention: 'Mention',
  silence: 'Silent workflows',
  thread: 'Threads',
};

export function settingLabel(key: WatchKey): string {
  const [, , label = key] = ROWS.find(([named]) => named === key) ?? [];
  return OTHER_LABELS[key] ?? SWITCHES.find((each) => each.key === key)?.label ?? label;
}
