import { z } from 'zod';
import { unseenNames } from '../../../coverage/names.ts';
import { pendingIds } from '../../../digests/pending.ts';
import { previewWatch } from '../../../digests/preview.ts';
import { SEVERITIES } from '../../../failures/judge.ts';
import { WATCHED_VERDICTS } from '../../../failures/verdict.ts';
import { InputError, StoreTroubleError } from '../../../lib/errors.ts';
import { bare } from '../../../lib/fold.ts';
import { FilterError, type FilterMap } from '../../../lib/input/filters.ts';
import { parseAddresses } from '../../../lib/input/typed-values.ts';
import type { UserGroup } from '../../../lib/workspace.ts';
import { CHANNELS, channelName } from '../../../service/channels.ts';
import {
  ALL_ENVIRONMENTS,
  clockOf,
  filtersOf,
  parseMention,
  parseWatchSettings,
  resolveSettings,
  type WatchKey,
} from '../../../watches/parse-settings.ts';
import { SILENCES, USUAL_SETTINGS, USUAL_SUMMARY_AT } from '../../../watches/settings.ts';
import { changeWatch, existingWatch } from '../../../watches/watches.ts';
import type { SlackCtx } from '../../ctx.ts';
import { actions, button, divider, lineSections, parseSingle } from '../../kit/blocks.ts';
import { type Choice, choiceInput, type FormErrors, personInput, severalInput, textInput } from '../../kit/inputs.ts';
import { type Form, formView, keptIn, message, resultView, waitingView, withNote } from '../../kit/message.ts';
import { mrkdwn, person } from '../../kit/text.ts';
import { capitalized, outcomeWords } from '../../kit/words.ts';
import { inFormModal, inModal } from '../../router/in-modal.ts';
import { cardFor } from '../../router/on-error.ts';
import {
  type ActionInteraction,
  actionRoute,
  type FilledView,
  OldButtonError,
  type SubmissionInteraction,
  type Submitted,
  type Surface,
} from '../../router/route.ts';
import { EDIT, parseFilters, postWatch, previewMessage, SHOW_PREVIEW, unseenLines, watchingLines } from './messages.ts';

const EDIT_FORM = 'watch.edit-form';
const TITLE = 'Edit a watch';
const Kept = z.object({ watchId: z.string() });

export function editRoutes(ctx: SlackCtx): Surface[] {
  return [
    actionRoute(EDIT, parseSingle, (watchId, interaction) => openForm(ctx, watchId, interaction)),
    { surface: 'action', id: SHOW_PREVIEW, answer: (interaction) => showPreview(ctx, interaction) },
    { surface: 'view', id: EDIT_FORM, take: (view) => take(ctx, view) },
  ];
}

async function showPreview(ctx: SlackCtx, interaction: ActionInteraction) {
  const { modal, value } = interaction;
  // The form's own button has a watch's ID in place of filters.
  const filters = parseFilters(value) ?? (modal && parseWatchForm(modal));
  if (filters === null) throw new OldButtonError();
  const draw = async () => {
    const { settings } = await resolveSettings(ctx, filters);
    return previewMessage(await previewWatch(ctx, settings));
  };
  const title = 'Preview of a watch';
  if (modal === null) return interaction.reply.show(await draw());
  await inModal(ctx, interaction, title, async () => resultView(await draw(), title));
}

function openForm(ctx: SlackCtx, watchId: string, interaction: ActionInteraction) {
  return inModal(ctx, interaction, TITLE, async () => {
    const { settings } = await existingWatch(ctx.db, watchId);
    return drawForm(ctx, { watchId, filters: filtersOf(settings), above: [] });
  });
}

async function drawForm(ctx: SlackCtx, form: Omit<WatchForm, 'environments' | 'userGroups'>) {
  // Without this menu, the form still shows what was typed.
  const userGroups = await ctx.workspace.userGroups().catch((err: unknown) => {
    ctx.logger.warn({ err }, "A form's menu of user groups couldn't be filled");
    return [];
  });
  return watchView({ ...form, environments: ctx.environments, userGroups });
}

interface WatchForm extends Pick<SlackCtx, 'environments'> {
  watchId: string;
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
  ['verdict', 'menu', 'Verdicts', 'Choose none for all but warnings.'],
  ['min', 'word', 'Minimum failures', 'Empty to alert from the first failure.'],
  ['within', 'word', 'Within', 'For example 10m; at most 24h.'],
  ['rate', 'word', 'Minimum failure rate', 'For example 5%.'],
  ['every', 'word', 'Minimum time between alerts', 'For example 15m. Empty to alert right away.'],
  ['escalate', 'word', 'Escalate if critical after', '10m: mentions again; an Alertmanager can call. Empty for never.'],
  ['quiet', 'word', 'Quiet hours', 'For example 22:00-07:00; what begins then is announced at their end.'],
  ['summary', 'word', 'Daily summary at', 'For example 09:00. Empty for none.'],
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

export function watchView(form: WatchForm) {
  const { watchId, above, userGroups } = form;
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
    kept: { watchId },
    blocks: [
      ...above,
      ...actions([button('Preview', SHOW_PREVIEW, watchId)]),
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

function take(ctx: SlackCtx, view: FilledView): Submitted {
  const filters = parseWatchForm(view);
  const errors = errorsIn(filters, ctx);
  if (Object.keys(errors).length > 0) return { is: 'invalid', errors };
  const { watchId } = keptIn(Kept, view);
  return inFormModal(ctx, {
    next: waitingView(TITLE, '⏳ Saving …'),
    work: (interaction) => save(ctx, watchId, filters, interaction),
    failed: async (error) => {
      const outcome = error instanceof StoreTroubleError ? 'It may or may not be saved.' : 'Nothing is saved yet.';
      const content = withNote(cardFor(ctx, error), outcome);
      return { view: await drawForm(ctx, { watchId, filters, above: [...content.blocks, divider()] }), content };
    },
  });
}

/** An error's example is left out: it's a command, and fields have hints. */
function errorsIn(filters: FilterMap, ctx: SlackCtx): FormErrors {
  const { email = [], ...others } = filters;
  try {
    parseAddresses(email);
    parseWatchSettings(others, { ...ctx, timeZone: 'UTC' });
    return {};
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    const { field, message } = error;
    const rule = error instanceof FilterError ? error.rule : message;
    // The other fields are checked as if this one were empty.
    return { [`watch.${field}`]: capitalized(rule), ...errorsIn({ ...filters, [field]: [] }, ctx) };
  }
}

async function save(ctx: SlackCtx, watchId: string, filters: FilterMap, interaction: SubmissionInteraction) {
  const { userId } = interaction;
  const { settings, addresses } = await resolveSettings(ctx, filters);
  const unseen = await unseenNames(ctx.db, settings.filter, ctx.environments);
  const changed = await changeWatch({ ...ctx, pendingIds }, watchId, { settings, actor: userId });
  if (changed) await postWatch(ctx, mrkdwn`✏️ ${person(userId)} changed a watch here`, changed, interaction);
  return { content: message(lineSections(['✅ Saved.', ...unseenLines(unseen), ...watchingLines(addresses)])) };
}
