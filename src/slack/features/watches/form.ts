import type { InputBlock, KnownBlock, ModalView } from '@slack/types';
import { z } from 'zod';
import { bare } from '../../../lib/fold.ts';
import type { FilterMap } from '../../../lib/input/filters.ts';
import { isDirectMessage, type UserGroup } from '../../../lib/workspace.ts';
import { ALL_ENVIRONMENTS, WATCH_KEYS, type WatchKey } from '../../../watches/parse-settings.ts';
import { clockOf, parseMention } from '../../../watches/setting-values.ts';
import { SILENCES, USUAL_SETTINGS, USUAL_SUMMARY_AT } from '../../../watches/settings.ts';
import type { SlackCtx } from '../../ctx.ts';
import { actions, button, section } from '../../kit/blocks.ts';
import {
  type Choice,
  channelInput,
  choiceInput,
  personInput,
  severalInput,
  severalSearchInput,
  textInput,
} from '../../kit/inputs.ts';
import type { FilledView } from '../../kit/interaction.ts';
import { AnswerAt } from '../../kit/places.ts';
import { channelLink, mrkdwn, type Optional, present } from '../../kit/text.ts';
import { type Form, formView, keptIn } from '../../kit/views.ts';
import {
  CHANNEL,
  CHOICES,
  choice,
  FIRST_ROWS,
  field,
  OTHER_ROWS,
  RIGHT_AWAY,
  ROWS,
  type Row,
  SOON,
  SOONS,
  SUMMARIES,
  SUMMARY,
  SWITCHES,
  settingLabel,
} from './form-fields.ts';
import { SHOW_PREVIEW } from './messages.ts';

export const EDIT_FORM = 'watch.edit-form';
export const TITLE = 'Edit a watch';
const NEW_TITLE = 'New watch';
export const titleOf = ({ watchId }: Pick<Kept, 'watchId'>): string => (watchId === null ? NEW_TITLE : TITLE);

/** Shows all settings in place of the folded form. */
export const MORE = 'watch.more';
export const SEND_TEST = 'watch.send-test';

export const Kept = z.object({
  /** Null: it is made when the form is submitted. */
  watchId: z.string().nullable(),
  /** Whether the form has all settings, or only those that most people set first. */
  isWhole: z.boolean().default(true),
  answerAt: AnswerAt.nullable().default(null),
  channel: z.string().nullable().default(null),
  /** What the form showed; nothing if a version before drew it. */
  shown: z.record(z.string(), z.string()).default({}),
  /** Settings that somebody else changed meanwhile to something else: the form asks which value to keep. */
  conflicts: z.array(z.enum(WATCH_KEYS)).default([]),
  /** Of a new watch: the person was told why it may never fire, or who can read it. */
  isConfirmed: z.boolean().default(false),
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

export function watchView(form: WatchForm): ModalView {
  const { kept, above } = form;
  const filters: FilterMap = { summary: [clockOf(USUAL_SUMMARY_AT)], ...form.filters };
  const watchId = kept.watchId ?? '';
  return formView({
    callbackId: EDIT_FORM,
    title: titleOf(kept),
    submit: 'Save',
    kept,
    blocks: [
      ...above,
      ...kept.conflicts.map((key) => conflictInput(key, form)),
      kept.channel !== null && channelBlock(kept.channel, kept),
      ...FIRST_ROWS.map((row) => rowInput(row, filters, form)),
      ...mentionInputs(filters, form),
      ...(kept.isWhole ? wholeInputs(filters, form) : foldedInputs(filters)),
      ...actions([
        button('Preview', SHOW_PREVIEW, watchId),
        button('Send a test alert to me', SEND_TEST, watchId),
        !kept.isWhole && button('More settings…', MORE, watchId),
      ]),
    ],
  });
}

/** A watch stays in its channel. A menu of channels has no direct messages. */
function channelBlock(channel: string, { watchId }: Kept): KnownBlock {
  if (watchId === null && !isDirectMessage(channel))
    return channelInput({ blockId: CHANNEL, label: 'Channel' }, channel);
  return section(mrkdwn`*Channel:* ${channelLink(channel)}`);
}

const optional = (key: WatchKey | 'person', label: string) => ({ blockId: field(key), label, isOptional: true });

/** One setting in two fields: Slack has no menu of people and user groups. */
function mentionInputs(filters: FilterMap, { userGroups }: WatchForm): Optional<InputBlock>[] {
  const mentioned = (filters.mention ?? []).map(parseMention);
  const idOf = (kind: string) => mentioned.find((mention) => mention?.kind === kind)?.id ?? null;
  const groupId = idOf('user-group');
  const handles = userGroups.map(({ id, handle }) => choice(id, `@${handle}`));
  const groups = choicesWith(present([groupId]), handles);
  return [
    personInput(optional('person', 'Mention a person'), idOf('person')),
    groups.length > 0 && choiceInput('static_select', optional('mention', 'Or mention a user group'), groups, groupId),
  ];
}

function wholeInputs(filters: FilterMap, form: WatchForm): InputBlock[] {
  const silence = optional('silence', 'Report when these workflows are silent');
  const silences = SILENCES.map((value) => choice(value));
  const switches = SWITCHES.map(({ key, label }) => choice(key, label));
  const on = SWITCHES.filter(({ key, usual }) => (filters[key]?.[0] ?? usual) === 'on').map(({ key }) => key);
  return [
    ...OTHER_ROWS.map((row) => rowInput(row, filters, form)),
    choiceInput('static_select', silence, silences, filters.silence?.[0] ?? USUAL_SETTINGS.silence),
    // Slack shows an error at a block, and only this switch can be refused.
    severalInput('checkboxes', optional('all-clear', 'Also'), switches, on),
  ];
}

function foldedInputs(filters: FilterMap): InputBlock[] {
  const menu = (blockId: string, label: string, choices: readonly Choice[], chosen: string) =>
    choiceInput('static_select', { blockId, label }, choicesWith([chosen], choices), chosen);
  return [
    menu(SOON, 'How soon', SOONS, soonOf(filters)),
    menu(SUMMARY, 'Summary', SUMMARIES, filters.summary?.[0] ?? 'off'),
  ];
}

function soonOf(filters: FilterMap): string {
  const words = (['min', 'within', 'rate'] as const).flatMap(
    (key) => filters[key]?.map((value) => `${key}:${value}`) ?? [],
  );
  return words.length === 0 ? RIGHT_AWAY : words.join(' ');
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

function rowInput(
  [key, kind, label, hint]: Row,
  filters: FilterMap,
  { environments }: Pick<WatchForm, 'environments'>,
): InputBlock {
  const values = filters[key] ?? [];
  const common = { blockId: field(key), label, hint, isOptional: key !== 'tz' };
  if (kind === 'search') return severalSearchInput(common, values);
  if (kind !== 'menu') {
    const shown = values.filter((value) => value !== 'off');
    return textInput({ ...common, isMultiline: kind !== 'word', initial: shown.join('\n') });
  }
  const chosen = values.filter((value) => value !== ALL_ENVIRONMENTS);
  return severalInput('multi_static_select', common, choicesWith(chosen, CHOICES[key]?.(environments) ?? []), chosen);
}

/** What the submitted form keeps, with the channel that was chosen in it. */
export function keptWatchForm(view: FilledView): Kept {
  const kept = keptIn(Kept, view);
  return { ...kept, channel: view.valueIn(CHANNEL) ?? kept.channel };
}

type Filled = Pick<FilledView, 'valueIn' | 'valuesIn'>;

/** The filters that the form shows. */
export function parseWatchForm(view: Filled, { isWhole }: Pick<Kept, 'isWhole'>): FilterMap {
  const { valuesIn } = view;
  const people = valuesIn(field('person')).map((id) => `<@${id}>`);
  const mention = [...people, ...valuesIn(field('mention')).map((id) => `<!subteam^${id}>`)];
  if (!isWhole)
    return filtersIn([
      ...rowValues(FIRST_ROWS, view),
      ['mention', mention],
      ...thresholdIn(view.valueIn(SOON) ?? RIGHT_AWAY),
      ['summary', valuesIn(SUMMARY)],
    ]);
  const on = valuesIn(field('all-clear'));
  return {
    quiet: ['off'],
    summary: ['off'],
    ...filtersIn([...rowValues(ROWS, view), ['mention', mention], ['silence', valuesIn(field('silence'))]]),
    ...Object.fromEntries(SWITCHES.map(({ key }) => [key, [on.includes(key) ? 'on' : 'off']])),
  };
}

type Values = readonly [key: string, values: readonly string[]];

/** A filter without a value would be none that anybody can type. */
const filtersIn = (values: readonly Values[]): FilterMap =>
  Object.fromEntries(values.filter(([, list]) => list.length > 0));

function rowValues(rows: readonly Row[], { valueIn, valuesIn }: Filled): Values[] {
  return rows.map(([key, kind]): Values => {
    if (kind === 'menu' || kind === 'search') return [key, valuesIn(field(key))];
    const text = valueIn(field(key)) ?? '';
    const lines = kind === 'word' ? [text] : text.split('\n');
    return [key, lines.map(bare).filter((line) => line !== '')];
  });
}

function thresholdIn(soon: string): Values[] {
  const words = soon === RIGHT_AWAY ? [] : soon.split(' ');
  return words.map((word): Values => {
    const [key = '', value = ''] = word.split(':');
    return [key, [value]];
  });
}

/** Returns the conflicts for which the saved value was chosen. */
export function leftIn({ conflicts }: Kept, { valueIn }: Pick<FilledView, 'valueIn'>): readonly WatchKey[] {
  return conflicts.filter((key) => valueIn(conflictField(key)) === LEAVE);
}
