import type { InputBlock, ModalView } from '@slack/types';
import { SEVERITIES } from '../../../failures/failure.ts';
import { VERDICT_WORDS, WATCHED_VERDICTS } from '../../../failures/verdict.ts';
import type { Environment } from '../../../lib/environment.ts';
import { InputError, withExample } from '../../../lib/errors.ts';
import { bare, visible } from '../../../lib/fold.ts';
import type { FilterMap } from '../../../lib/input/filters.ts';
import { parseAddresses } from '../../../lib/input/typed-values.ts';
import type { UserGroup } from '../../../lib/workspace.ts';
import { channelNames } from '../../../lookups/filter-conditions.ts';
import { CHANNELS } from '../../../service/query.ts';
import {
  type AddressFound,
  ALL_ENVIRONMENTS,
  clockOf,
  filtersOf,
  parseMention,
  parseWatchSettings,
  settingsTyped,
  type WatchKey,
} from '../../../watches/parse-settings.ts';
import { previewWatch } from '../../../watches/preview.ts';
import { USUAL_SUMMARY_AT } from '../../../watches/settings.ts';
import { changeWatch, watchWithId } from '../../../watches/watches.ts';
import type { SlackCtx } from '../../ctx.ts';
import { actions, button, context, type MessageContent, message, section, sentence } from '../../kit/blocks.ts';
import { parseOnly } from '../../kit/button-value.ts';
import { capitalised, channelName } from '../../kit/incident/names.ts';
import {
  type Choice,
  type FilledForm,
  optionOf,
  personInput,
  searchInput,
  severalInput,
  textInput,
} from '../../kit/inputs.ts';
import { MOST_OPTIONS } from '../../kit/limits.ts';
import { code, type Markup, mrkdwn, person } from '../../kit/text.ts';
import { formView, resultView, waitingView } from '../../kit/view.ts';
import { inModal } from '../../router/in-modal.ts';
import type { ActionInteraction, SubmissionInteraction } from '../../router/interaction.ts';
import { explained } from '../../router/on-error.ts';
import { postInChannel } from '../../router/post-notice.ts';
import { actionRoute, OldButtonError, type Route, routesFor, type Submitted } from '../../router/route.ts';
import { EDIT, ENDED_BEFORE } from './list.ts';
import {
  parseFilters,
  previewLine,
  previewMessage,
  previewOrNone,
  SHOW_PREVIEW,
  watchingBlocks,
  watchMessage,
} from './message.ts';

const EDIT_FORM = 'watch.edit-form';
const TITLE = 'Edit a watch';

export function editRoutes(ctx: SlackCtx): Route[] {
  return routesFor('members', [
    actionRoute(EDIT, parseOnly, (watchId, interaction) => openForm(ctx, watchId, interaction)),
    { surface: 'action', id: SHOW_PREVIEW, answer: (interaction) => showPreview(ctx, interaction) },
    {
      surface: 'options',
      id: field('mention'),
      answer: async ({ typed }) => {
        const wanted = typed.trim().replace(/^@/, '').toLowerCase();
        const found = (await ctx.workspace.userGroups()).filter(({ handle }) => handle.toLowerCase().includes(wanted));
        return found.slice(0, MOST_OPTIONS).map(groupOption);
      },
    },
    { surface: 'view', callbackId: EDIT_FORM, take: (view) => take(ctx, view) },
  ]);
}

/** Of the form as it is filled in, on top of it; or of a message's watch. */
async function showPreview(ctx: SlackCtx, interaction: ActionInteraction): Promise<void> {
  const { modal, value } = interaction;
  const filters = modal?.callbackId === EDIT_FORM ? parseWatchForm(modal) : parseFilters(value);
  if (filters === null) throw new OldButtonError();
  const draw = async () => {
    const { settings } = await settingsTyped(ctx, filters, defaultsOf(ctx));
    return previewMessage(await previewWatch(ctx, settings));
  };
  const title = 'Preview of a watch';
  if (modal === null) return interaction.reply.show(await draw());
  await inModal(ctx, interaction, title, async () => resultView(await draw(), title));
}

/** A form has the environments and the time zone of its watch. */
function defaultsOf({ environments }: SlackCtx) {
  return { environments, usualEnvironments: [], timeZone: 'UTC' };
}

export interface WatchForm {
  readonly watchId: string;
  /** A watch's own (`filtersOf`), or what was typed and couldn't be saved. */
  readonly filters: FilterMap;
  readonly environments: readonly Environment[];
  readonly userGroups: readonly UserGroup[];
  /** The channels that Notif has seen; those in the contract are always offered. */
  readonly channels: readonly string[];
  /** What people have to know before they save. */
  readonly notes: readonly Markup[];
}

async function openForm(ctx: SlackCtx, watchId: string, interaction: ActionInteraction): Promise<void> {
  await inModal(ctx, interaction, TITLE, async () => {
    const watch = await watchWithId(ctx.db, watchId);
    if (watch === null) return resultView(ENDED_BEFORE, TITLE);
    const { settings } = watch;
    const notes = previewLine(await previewOrNone(ctx, settings));
    return drawn(ctx, { watchId, filters: filtersOf(settings) }, notes);
  });
}

type TypedForm = Pick<WatchForm, 'watchId' | 'filters'>;

async function drawn(ctx: SlackCtx, form: TypedForm, notes: readonly Markup[]): Promise<ModalView> {
  const groups = ctx.workspace.userGroups().catch((err: unknown) => {
    ctx.logger.warn({ err }, "the user groups couldn't be read");
    return [];
  });
  const [userGroups, channels] = await Promise.all([groups, channelNames(ctx.db)]);
  return watchView({ ...form, environments: ctx.environments, userGroups, channels, notes });
}

type Field = WatchKey | 'person' | 'also';
const field = (key: Field) => `watch.${key}`;

interface Row {
  readonly key: WatchKey;
  /** `lines`: one value a line, since a name can contain a comma. `ids`: without the quotes that a name may have. */
  readonly as: 'menu' | 'checkboxes' | 'lines' | 'ids' | 'word';
  readonly label: string;
  readonly hint: string;
  readonly choices?: (form: WatchForm) => readonly Choice[];
}

const choice = (value: string, label = value): Choice => ({ value, label });

const ROWS: readonly Row[] = [
  {
    ...{ key: 'env', as: 'menu', label: 'Environments', hint: 'Choose none for all.' },
    choices: ({ environments }) => environments.map(({ name, label }) => choice(name, label)),
  },
  { key: 'workflow', as: 'lines', label: 'Workflows', hint: 'Identifiers or names, one per line. Empty for all.' },
  {
    ...{ key: 'channel', as: 'menu', label: 'Channels', hint: 'Choose none for all.' },
    choices: ({ channels }) => [...new Set([...CHANNELS, ...channels])].map((name) => choice(name, channelName(name))),
  },
  { key: 'provider', as: 'lines', label: 'Providers', hint: 'sendgrid, twilio …, one per line.' },
  { key: 'subscriber', as: 'ids', label: 'Subscribers', hint: 'IDs, exactly as triggered, one per line: user-0042' },
  { key: 'email', as: 'ids', label: 'Email addresses', hint: 'Their subscribers are looked up when you save.' },
  {
    ...{ key: 'severity', as: 'menu', label: 'Severities', hint: 'Choose none for all.' },
    choices: () => SEVERITIES.map((severity) => choice(severity)),
  },
  { key: 'topic', as: 'lines', label: 'Topics', hint: "The topics' keys, one per line." },
  { key: 'context', as: 'lines', label: 'Contexts', hint: 'Name and value, exactly as triggered: tenant:acme' },
  { key: 'tag', as: 'lines', label: 'Tags', hint: "The workflows' tags, one per line." },
  {
    ...{ key: 'verdict', as: 'checkboxes', label: 'Verdicts', hint: 'Tick none for all but warnings.' },
    choices: () => WATCHED_VERDICTS.map((verdict) => choice(verdict, capitalised(VERDICT_WORDS[verdict]))),
  },
  { key: 'min', as: 'word', label: 'Minimum failures', hint: 'Empty to alert from the first failure.' },
  { key: 'within', as: 'word', label: 'Within', hint: 'For example 10m; at most 24h.' },
  { key: 'rate', as: 'word', label: 'Minimum failure rate', hint: 'For example 5%.' },
  {
    key: 'every',
    as: 'word',
    label: 'Minimum time between alerts',
    hint: 'For example 15m. Empty to alert right away.',
  },
  {
    key: 'quiet',
    as: 'word',
    label: 'Quiet hours',
    hint: 'For example 22:00-07:00; what fails is announced at their end.',
  },
  { key: 'summary', as: 'word', label: 'Daily summary at', hint: 'For example 09:00. Empty for none.' },
  { key: 'tz', as: 'word', label: 'Time zone', hint: 'Of these times: Europe/Berlin' },
];

/** What an empty field or a box without a tick means, and what a watch has that doesn't say. */
const SWITCHES = [
  { key: 'thread', label: "Post each incident's history in its thread", usual: 'on' },
  { key: 'all-clear', label: 'Tell the channel when an incident is resolved', usual: 'off' },
  { key: 'changes', label: 'Post changes to integrations and workflows, and deploys', usual: 'off' },
] as const satisfies readonly { key: WatchKey; label: string; usual: 'on' | 'off' }[];

export function watchView(form: WatchForm): ModalView {
  const { watchId, notes, userGroups } = form;
  const filters: FilterMap = { summary: [clockOf(USUAL_SUMMARY_AT)], ...form.filters };
  const mentioned = (filters.mention ?? []).map(parseMention);
  const idOf = (kind: string) => mentioned.find((mention) => mention?.kind === kind)?.id ?? null;
  const groupId = idOf('user-group');
  const group = userGroups.find(({ id }) => id === groupId);
  const groupChosen = groupId === null ? null : groupOption(group ?? { id: groupId, handle: groupId });
  const on = SWITCHES.filter(({ key, usual }) => (filters[key]?.[0] ?? usual) === 'on').map(({ key }) => key);
  return formView({
    callbackId: EDIT_FORM,
    title: TITLE,
    submit: 'Save',
    privateMetadata: watchId,
    blocks: [
      ...(notes.length === 0 ? [] : [context(...notes)]),
      ...actions([button('Preview', SHOW_PREVIEW, watchId)]),
      ...ROWS.map((row) => rowInput(row, filters[row.key] ?? [], form)),
      personInput({ blockId: field('person'), label: 'Mention a person', isOptional: true }, idOf('person')),
      searchInput(
        { blockId: field('mention'), label: 'Or mention a user group', isOptional: true },
        'Type to search',
        groupChosen,
      ),
      severalInput(
        'checkboxes',
        { blockId: field('also'), label: 'Also', isOptional: true },
        SWITCHES.map(({ key, label }) => choice(key, label)),
        on,
      ),
    ],
  });
}

/** A menu always includes the watch's own values: without them, it would become a watch of all. */
function rowInput(
  { key, as, label, hint, choices = () => [] }: Row,
  values: readonly string[],
  form: WatchForm,
): InputBlock {
  const all = { blockId: field(key), label, hint, isOptional: true };
  if (as !== 'menu' && as !== 'checkboxes') {
    const shown = values.filter((value) => value !== 'off');
    return textInput({ ...all, isMultiline: as !== 'word', initial: shown.join('\n') });
  }
  const chosen = values.filter((value) => value !== ALL_ENVIRONMENTS);
  const offered = choices(form);
  const others = chosen
    .filter((value) => offered.every((known) => known.value !== value))
    .map((value) => choice(value));
  return severalInput(as === 'menu' ? 'multi_static_select' : as, all, [...others, ...offered], chosen);
}

function groupOption({ id, handle }: UserGroup) {
  return optionOf({ label: `@${handle}`, value: id });
}

export function parseWatchForm({ valueIn, valuesIn }: Pick<FilledForm, 'valueIn' | 'valuesIn'>): FilterMap {
  const typed = ({ key, as }: Row): readonly string[] => {
    if (as === 'menu' || as === 'checkboxes') return valuesIn(field(key));
    const text = visible(valueIn(field(key)) ?? '');
    if (as === 'word') return [text.trim()].filter((word) => word !== '');
    const lines = text.split('\n').map((line) => (as === 'ids' ? bare(line) : line));
    return lines.filter((line) => line.trim() !== '');
  };
  const on = valuesIn(field('also'));
  const values: FilterMap = {
    quiet: ['off'],
    summary: ['off'],
    ...Object.fromEntries(ROWS.map((row) => [row.key, typed(row)] as const).filter(([, found]) => found.length > 0)),
    ...Object.fromEntries(SWITCHES.map(({ key }) => [key, [on.includes(key) ? 'on' : 'off']])),
  };
  const people = valuesIn(field('person')).map((id) => `<@${id}>`);
  const mention = [...people, ...valuesIn(field('mention')).map((id) => `<!subteam^${id}>`)];
  return mention.length === 0 ? values : { ...values, mention };
}

function take(
  ctx: SlackCtx,
  view: Parameters<typeof parseWatchForm>[0] & { readonly privateMetadata: string },
): Submitted {
  const filters = parseWatchForm(view);
  const { email = [], ...others } = filters;
  try {
    parseAddresses(email);
    parseWatchSettings(others, defaultsOf(ctx));
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    return { is: 'refused', errors: { [`watch.${error.field}`]: withExample(error) } };
  }
  const form = { watchId: view.privateMetadata, filters };
  const next = waitingView(TITLE, mrkdwn`⏳ Saving …`);
  return { is: 'taken', next, answer: (interaction) => save(ctx, form, interaction) };
}

/** If an email address isn't found, or another watch has these settings, the form keeps what was typed and says so. */
async function save(ctx: SlackCtx, form: TypedForm, interaction: SubmissionInteraction): Promise<void> {
  const { userId: by, modal } = interaction;
  const { environments } = ctx;
  const read = await settingsTyped(ctx, form.filters, defaultsOf(ctx)).catch((error: unknown) => explained(ctx, error));
  if (!('settings' in read)) {
    const reference = read.reference === null ? mrkdwn`` : mrkdwn` Reference ${code(read.reference)}.`;
    return showAgain(ctx, form, mrkdwn`${read.text.what} ${read.text.next}${reference}`, interaction);
  }
  const { settings, addresses } = read;
  const changed = await changeWatch(ctx, form.watchId, { settings, by });
  switch (changed.is) {
    case 'changed': {
      const preview = await previewOrNone(ctx, settings);
      const change = watchMessage(mrkdwn`✏️ ${person(by)} changed a watch here`, changed.watch, {
        environments,
        preview,
      });
      const isPosted = await postInChannel(ctx, changed.watch.channel, change, interaction);
      await modal.update(resultView(savedMessage(isPosted, addresses), TITLE));
      return;
    }
    case 'unchanged':
      await modal.update(resultView(savedMessage(true, addresses), TITLE));
      return;
    case 'there-already': {
      const reason = mrkdwn`Watch ${changed.number} of this channel has these settings already, so each alert would be posted twice. Change a setting, or remove this watch.`;
      return showAgain(ctx, { ...form, filters: filtersOf(settings) }, reason, interaction);
    }
    case 'ended':
      return interaction.reply.show(ENDED_BEFORE);
  }
}

/** A person who closed the form gets the reason in a direct message. */
async function showAgain(
  ctx: SlackCtx,
  form: TypedForm,
  reason: Markup,
  { modal, outside }: SubmissionInteraction,
): Promise<void> {
  const note = mrkdwn`⚠️ ${reason} Your changes aren't saved yet: Save replaces the watch's settings with those below.`;
  if ((await modal.update(await drawn(ctx, form, [note]))) === 'shown') return;
  const again = mrkdwn`To try again, open *Edit* in ${code('/notif watches')}.`;
  await outside.show(sentence(mrkdwn`⚠️ Your change of a watch isn't saved. ${reason} ${again}`));
}

/** `isPosted`: whether Slack confirmed the message to the channel. */
export function savedMessage(isPosted: boolean, addresses: readonly AddressFound[]): MessageContent {
  const what = isPosted
    ? mrkdwn`Saved.`
    : mrkdwn`Saved. Slack didn't confirm the message to the channel, so people there may not know.`;
  return message(what, [section(mrkdwn`✅ ${what}`), ...watchingBlocks(addresses)]);
}
