import type { InputBlock, ModalView } from '@slack/types';
import { z } from 'zod';
import { SEVERITIES } from '../../../judging/judge.ts';
import { WATCHED_VERDICTS } from '../../../judging/verdict.ts';
import { bare } from '../../../lib/fold.ts';
import type { FilterMap } from '../../../lib/input/filters.ts';
import type { UserGroup } from '../../../lib/workspace.ts';
import { CHANNELS, channelName } from '../../../service/channels.ts';
import { ALL_ENVIRONMENTS, clockOf, parseMention, WATCH_KEYS, type WatchKey } from '../../../watches/parse-settings.ts';
import { SILENCES, USUAL_SETTINGS, USUAL_SUMMARY_AT } from '../../../watches/settings.ts';
import type { SlackCtx } from '../../ctx.ts';
import { actions, button } from '../../kit/blocks.ts';
import { type Choice, choiceInput, personInput, severalInput, textInput } from '../../kit/inputs.ts';
import type { FilledView } from '../../kit/interaction.ts';
import { type Form, formView } from '../../kit/message.ts';
import { capitalized } from '../../kit/names.ts';
import { outcomeWords } from '../../kit/outcomes.ts';
import { SHOW_PREVIEW } from './messages.ts';

export const EDIT_FORM = 'watch.edit-form';
export const TITLE = 'Edit a watch';

export const Kept = z.object({
  watchId: z.string(),
  channel: z.string().nullable().default(null),
  /** What the form showed; nothing if a version before drew it. */
  shown: z.record(z.string(), z.string()).default({}),
  /** Settings that somebody else changed meanwhile to something else: the form asks which value to keep. */
  conflicts: z.array(z.enum(WATCH_KEYS)).default([]),
});
export type Kept = Readonly<z.output<typeof Kept>>;

export interface WatchForm extends Pick<SlackCtx, 'environments'> {
  kept: Kept;
  /** The conflicts for which the saved value was chosen; undefined if nothing was chosen yet. */
  leaves?: readonly WatchKey[];
  filters: FilterMap;
  userGroups: readonly UserGroup[];
  above: Form['blocks'];
}

const field = (key: WatchKey | 'person') => `watch.${key}`;
const choice = (value: string, label = value) => ({ value, label });
const ALL = 'Choose none for all.';

type Row = readonly [key: WatchKey, kind: 'menu' | 'lines' | 'word', label: string, hint: string];

const ROWS: readonly Row[] = [
  ['env', 'menu', 'Environments', ALL],
  ['workflow', 'lines', 'Workflows', 'Identifiers or names, one per line. Empty for all.'],
  ['channel', 'menu', 'Delivery channels', ALL],
  ['provider', 'lines', 'Providers', 'sendgrid, twilio …, one per line.'],
  ['subscriber', 'lines', 'Subscribers', 'IDs, exactly as triggered, one per line: user-0042'],
  ['email', 'lines', 'Email addresses', 'Their subscribers are looked up when you save.'],
  ['severity', 'menu', 'Severities', ALL],
  ['topic', 'lines', 'Topics', "The topics' keys, one per line."],
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

const CHOICES: { [Key in WatchKey]?: (form: WatchForm) => readonly Choice[] } = {
  env: ({ environments }) => environments.map(({ name, label }) => choice(name, label)),
  channel: () => CHANNELS.map((name) => choice(name, channelName(name))),
  severity: () => SEVERITIES.map((severity) => choice(severity)),
  verdict: () => WATCHED_VERDICTS.map((verdict) => choice(verdict, capitalized(outcomeWords(verdict)))),
};

const SWITCHES = [
  { key: 'thread', label: "Post each incident's history in its thread", usual: 'on' },
  { key: 'all-clear', label: 'Post when an incident is resolved', usual: 'off' },
  { key: 'changes', label: 'Post changes to integrations and workflows, and deploys', usual: 'off' },
] as const;

export function watchView(form: WatchForm): ModalView {
  const { kept, above, userGroups } = form;
  const filters: FilterMap = { summary: [clockOf(USUAL_SUMMARY_AT)], ...form.filters };
  const mentioned = (filters.mention ?? []).map(parseMention);
  const idOf = (kind: string) => mentioned.find((mention) => mention?.kind === kind)?.id ?? null;
  const groupId = idOf('user-group');
  const handles = userGroups.map(({ id, handle }) => choice(id, `@${handle}`));
  const groups = choicesWith(groupId === null ? [] : [groupId], handles);
  const on = SWITCHES.filter(({ key, usual }) => (filters[key]?.[0] ?? usual) === 'on').map(({ key }) => key);
  const optional = (key: WatchKey | 'person', label: string) => ({ blockId: field(key), label, isOptional: true });
  const silence = optional('silence', 'Report when these workflows are silent');
  const silences = SILENCES.map((value) => choice(value));
  const switches = SWITCHES.map(({ key, label }) => choice(key, label));
  return formView({
    callbackId: EDIT_FORM,
    title: TITLE,
    submit: 'Save',
    kept,
    blocks: [
      ...above,
      ...kept.conflicts.map((key) => conflictInput(key, form)),
      ...actions([button('Preview', SHOW_PREVIEW, kept.watchId)]),
      ...ROWS.map((row) => rowInput(row, filters[row[0]] ?? [], form)),
      personInput(optional('person', 'Mention a person'), idOf('person')),
      groups.length > 0 &&
        choiceInput('static_select', optional('mention', 'Or mention a user group'), groups, groupId),
      choiceInput('static_select', silence, silences, filters.silence?.[0] ?? USUAL_SETTINGS.silence),
      // Slack shows an error at a block, and only this switch can be refused.
      severalInput('checkboxes', optional('all-clear', 'Also'), switches, on),
    ],
  });
}

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

const LEAVE = 'saved';
const conflictField = (key: WatchKey): string => `watch.conflict.${key}`;

function conflictInput(key: WatchKey, { leaves }: Pick<WatchForm, 'leaves'>): InputBlock {
  const choices = [choice(LEAVE, 'Keep what is saved'), choice('mine', 'Save what this form has')];
  const chosen = leaves && (leaves.includes(key) ? LEAVE : 'mine');
  const field = { blockId: conflictField(key), label: `${settingLabel(key)}: changed meanwhile` };
  return choiceInput('radio_buttons', field, choices, chosen);
}

/** Keeps the watch's own values: saved without them, it would become a watch of all. */
function choicesWith(chosen: readonly string[], offered: readonly Choice[]) {
  const others = chosen.filter((value) => offered.every((choice) => choice.value !== value));
  return [...others.map((value) => choice(value)), ...offered];
}

function rowInput([key, kind, label, hint]: Row, values: readonly string[], form: WatchForm) {
  const common = { blockId: field(key), label, hint, isOptional: key !== 'tz' };
  if (kind !== 'menu') {
    const shown = values.filter((value) => value !== 'off');
    return textInput({ ...common, isMultiline: kind !== 'word', initial: shown.join('\n') });
  }
  const chosen = values.filter((value) => value !== ALL_ENVIRONMENTS);
  return severalInput('multi_static_select', common, choicesWith(chosen, CHOICES[key]?.(form) ?? []), chosen);
}

export function parseWatchForm({ valueIn, valuesIn }: Pick<FilledView, 'valueIn' | 'valuesIn'>): FilterMap {
  const typed = ([key, kind]: Row) => {
    if (kind === 'menu') return valuesIn(field(key));
    const text = valueIn(field(key)) ?? '';
    return (kind === 'word' ? [text] : text.split('\n')).map(bare).filter((line) => line !== '');
  };
  const on = valuesIn(field('all-clear'));
  const people = valuesIn(field('person')).map((id) => `<@${id}>`);
  const mention = [...people, ...valuesIn(field('mention')).map((id) => `<!subteam^${id}>`)];
  const rows = Object.fromEntries(ROWS.map((row) => [row[0], typed(row)]));
  const filled = Object.entries({ ...rows, mention, silence: valuesIn(field('silence')) });
  return {
    quiet: ['off'],
    summary: ['off'],
    ...Object.fromEntries(filled.filter(([, values]) => values.length > 0)),
    ...Object.fromEntries(SWITCHES.map(({ key }) => [key, [on.includes(key) ? 'on' : 'off']])),
  };
}

/** Returns the conflicts for which the saved value was chosen. */
export function leftIn({ conflicts }: Kept, { valueIn }: Pick<FilledView, 'valueIn'>): readonly WatchKey[] {
  return conflicts.filter((key) => valueIn(conflictField(key)) === LEAVE);
}
