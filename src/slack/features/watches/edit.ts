import type { ModalView, PlainTextOption } from '@slack/types';
import { compareDesc } from 'date-fns';
import { previewWatch } from '../../../alerts/preview.ts';
import { noteUnseenEdit } from '../../../alerts/second-edit.ts';
import { incidentNow } from '../../../incidents/lists.ts';
import { offeredNames } from '../../../incidents/names.ts';
import { InputError, StoreTroubleError } from '../../../lib/errors.ts';
import { fold } from '../../../lib/fold.ts';
import { parseAddresses } from '../../../lib/input/email-addresses.ts';
import { FilterError, type FilterMap } from '../../../lib/input/filters.ts';
import { createWatch, usualTimeZone } from '../../../watches/create.ts';
import { EditConflict, editWatch, type OtherChange, shownIn } from '../../../watches/edit.ts';
import { neverSeen } from '../../../watches/never-seen.ts';
import { filtersOf, parseWatchSettings, type WatchKey } from '../../../watches/parse-settings.ts';
import { resolveSettings } from '../../../watches/resolve-settings.ts';
import { parseMention } from '../../../watches/setting-values.ts';
import { existingWatch } from '../../../watches/watches.ts';
import type { SlackCtx } from '../../ctx.ts';
import { incidentMessage } from '../../incident-view/incident-row.ts';
import { divider, lineSections, option, section } from '../../kit/blocks.ts';
import { parseSingle } from '../../kit/button-values.ts';
import { cardFor } from '../../kit/error-card.ts';
import type { FormErrors } from '../../kit/filled-form.ts';
import { inFormModal, inModal, type ModalOutcome } from '../../kit/in-modal.ts';
import { MOST_OPTIONS } from '../../kit/inputs.ts';
import type {
  ActionInteraction,
  CommandInteraction,
  FilledView,
  SubmissionInteraction,
  Submitted,
} from '../../kit/interaction.ts';
import { asMessage, message, withNote } from '../../kit/message.ts';
import { capitalized } from '../../kit/names.ts';
import { channelPlace } from '../../kit/places.ts';
import {
  bold,
  channelLink,
  code,
  type Line,
  listed,
  type Markup,
  mention,
  mrkdwn,
  person,
  present,
} from '../../kit/text.ts';
import { resultView, waitingView } from '../../kit/views.ts';
import { settingsLines } from '../../kit/watch-words.ts';
import { actionRoute, OldButtonError, type Surface } from '../../router/route.ts';
import {
  EDIT_FORM,
  Kept,
  keptWatchForm,
  leftIn,
  MORE,
  parseWatchForm,
  SEND_TEST,
  TITLE,
  titleOf,
  type WatchForm,
  watchView,
} from './form.ts';
import { hiddenIn, SEARCHES, settingLabel } from './form-fields.ts';
import {
  EDIT,
  parseFilters,
  postWatch,
  SHOW_PREVIEW,
  unconfirmedMessage,
  unseenLines,
  watchingLines,
} from './messages.ts';
import { previewMessage } from './preview-message.ts';

export function editRoutes(ctx: SlackCtx): Surface[] {
  return [
    actionRoute(EDIT, parseSingle, (watchId, interaction) => openEdit(ctx, watchId, interaction)),
    { surface: 'action', id: SHOW_PREVIEW, answer: (interaction) => showPreview(ctx, interaction) },
    { surface: 'action', id: SEND_TEST, answer: (interaction) => sendTestAlert(ctx, interaction) },
    { surface: 'action', id: MORE, answer: (interaction) => showAll(ctx, interaction) },
    { surface: 'view', id: EDIT_FORM, take: (view) => take(ctx, view) },
    ...SEARCHES.map(
      ({ id, kind }): Surface => ({
        surface: 'options',
        id,
        answer: async ({ typed }) => searchOptions(await offeredNames(ctx.db, ctx.environments, kind), typed),
      }),
    ),
  ];
}

/** What nobody has seen yet can be chosen, too. */
export function searchOptions(names: readonly string[], typed: string): readonly PlainTextOption[] {
  const wanted = fold(typed.trim());
  const found = names.filter((name) => fold(name).includes(wanted)).slice(0, MOST_OPTIONS - 1);
  const isNew = wanted !== '' && found.every((name) => fold(name) !== wanted);
  return present([...found.map((name) => option(name, name)), isNew && option(`${typed} (as typed)`, typed.trim())]);
}

async function showPreview(ctx: SlackCtx, interaction: ActionInteraction): Promise<void> {
  const { modal, value, userId } = interaction;
  // The form's own button has a watch's ID, or nothing, in place of filters: those filled in count.
  const filters = parseFilters(value) ?? (modal && (await allFilters(ctx, modal, userId)));
  if (filters === null) throw new OldButtonError();
  const draw = async () => {
    const { settings } = await resolveSettings(ctx, filters);
    return previewMessage(await previewWatch(ctx, settings));
  };
  const title = 'Preview of a watch';
  if (modal === null) return interaction.reply.show(await draw());
  await inModal(ctx, interaction, title, async () => resultView(await draw(), title));
}

/** The form's filters, and with a folded form those that it doesn't show. */
async function allFilters(ctx: SlackCtx, view: FilledView, userId: string): Promise<FilterMap> {
  const kept = keptWatchForm(view);
  const shown = parseWatchForm(view, kept);
  if (kept.isWhole) return shown;
  if (kept.watchId === null) return { tz: [await usualTimeZone(ctx, kept.channel ?? '', userId)], ...shown };
  const saved = filtersOf((await existingWatch(ctx.db, kept.watchId)).settings);
  const hidden = hiddenIn(kept).flatMap((key) => (saved[key] === undefined ? [] : [[key, saved[key]] as const]));
  return { ...Object.fromEntries(hidden), ...shown };
}

/** Unfolds the form, with what is filled in. */
async function showAll(ctx: SlackCtx, { modal, userId }: ActionInteraction): Promise<void> {
  if (modal === null) throw new OldButtonError();
  const kept = { ...keptWatchForm(modal), isWhole: true };
  const filters = await allFilters(ctx, modal, userId);
  await modal.update(await drawForm(ctx, { kept, filters, above: [] }));
}

const NO_EXAMPLE =
  '🔴 Nothing that it covers failed lately. An alert names the place, the cause, how many and what to do.';

/** Shows the person in a direct message what the watch would alert to, by the newest incident that it covers. */
function sendTestAlert(ctx: SlackCtx, interaction: ActionInteraction): Promise<void> {
  const title = 'Test alert';
  return inModal(ctx, interaction, title, async () => {
    const { modal, userId } = interaction;
    if (modal === null) throw new OldButtonError();
    const { settings } = await resolveSettings(ctx, await allFilters(ctx, modal, userId));
    const [example] = (await previewWatch(ctx, settings)).incidents.toSorted((a, b) =>
      compareDesc(a.firstAt, b.firstAt),
    );
    const incident = example && (await incidentNow(ctx.db, example.id, ctx.now()));
    const words = [mrkdwn`🧪 *Test alert of a watch*, to you alone`, ...settingsLines(settings, ctx.environments)];
    const alert = incident ? incidentMessage(ctx, incident).blocks : [section(NO_EXAMPLE)];
    await channelPlace(userId, null, userId, ctx).post(message([section(words), ...alert]));
    return resultView(asMessage('✅ Sent to your DMs with Notif.'), title);
  });
}

function openEdit(ctx: SlackCtx, watchId: string, interaction: ActionInteraction): Promise<void> {
  return inModal(ctx, interaction, TITLE, async () => {
    const { settings, channel } = await existingWatch(ctx.db, watchId);
    const kept = Kept.parse({ watchId, channel, isWhole: false, shown: shownIn(settings) });
    return drawForm(ctx, { kept, filters: filtersOf(settings), above: [] });
  });
}

export function openNew(ctx: SlackCtx, filters: FilterMap, interaction: CommandInteraction): Promise<void> {
  const { channelId: channel, answerAt } = interaction;
  const kept = Kept.parse({ watchId: null, channel, isWhole: false, answerAt });
  return inModal(ctx, interaction, titleOf(kept), () => drawForm(ctx, { kept, filters, above: [] }));
}

async function drawForm(ctx: SlackCtx, form: Omit<WatchForm, 'environments' | 'userGroups'>): Promise<ModalView> {
  // Without this menu, the form still shows what was typed.
  const userGroups = await ctx.workspace.userGroups().catch((err: unknown) => {
    ctx.logger.warn({ err }, "A form's menu of user groups couldn't be filled");
    return [];
  });
  return watchView({ ...form, environments: ctx.environments, userGroups });
}

function take(ctx: SlackCtx, view: FilledView): Submitted {
  const kept = keptWatchForm(view);
  const filters = parseWatchForm(view, kept);
  const errors = errorsIn(filters, ctx);
  if (Object.keys(errors).length > 0) return { is: 'invalid', errors };
  const leaves = leftIn(kept, view);
  return inFormModal(ctx, {
    next: waitingView(titleOf(kept), '⏳ Saving …'),
    kept,
    work: (interaction) => save(ctx, { kept, filters, leaves }, interaction),
    failed: async (error) => {
      if (error instanceof EditConflict) return askWhich(ctx, kept, error);
      const outcome = error instanceof StoreTroubleError ? 'It may or may not be saved.' : 'Nothing is saved yet.';
      const content = withNote(cardFor(ctx, error), outcome);
      const above = [...content.blocks, divider()];
      return { view: await drawForm(ctx, { kept, leaves, filters, above }), content };
    },
  });
}

/** The error of each field that can't be saved. Its example is left out: it's a command, and fields have hints. */
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

/** The values of one setting. A threshold has several keys, which are named then. */
function valuesWords(filters: FilterMap): Markup {
  const keys = Object.keys(filters);
  const words = Object.entries(filters).flatMap(([key, values]) =>
    values.map((value) => {
      if (key === 'mention' && value !== 'off') return mention(parseMention(value));
      return code(keys.length > 1 ? `${key}:${value}` : value);
    }),
  );
  return words.length === 0 ? mrkdwn`empty` : listed(words, ', ', 10);
}

function otherLines(meanwhile: readonly OtherChange[]): Line[] {
  const lines = meanwhile.map(({ key, stored }) => mrkdwn`${bold(settingLabel(key))}: ${valuesWords(stored)}`);
  return lines.length === 0 ? [] : ['Changed by somebody else meanwhile, and kept:', ...lines];
}

/** Shows the form again with what is saved, and asks of each conflict which value to keep. */
async function askWhich(ctx: SlackCtx, kept: Kept, conflict: EditConflict): Promise<ModalOutcome> {
  const { settings, shown, conflicts, meanwhile } = conflict;
  const keys = conflicts.map(({ key }) => key);
  const lines = conflicts.map(({ key, stored, edited }) => {
    return mrkdwn`${bold(settingLabel(key))} · saved: ${valuesWords(stored)} · yours: ${valuesWords(edited)}`;
  });
  const what = mrkdwn`⚠️ ${conflict.message} Nothing of yours is saved yet.`;
  const content = message(lineSections([what, ...lines, ...otherLines(meanwhile), conflict.next]));
  const conflicting = { ...kept, isWhole: true, shown, conflicts: keys };
  const form = { kept: conflicting, filters: filtersOf(settings), above: content.blocks };
  return { view: await drawForm(ctx, form), content };
}

type Submission = Pick<WatchForm, 'kept' | 'filters'> & { leaves: readonly WatchKey[] };

async function save(
  ctx: SlackCtx,
  { kept, filters, leaves }: Submission,
  interaction: SubmissionInteraction,
): Promise<ModalOutcome> {
  const { userId: actor } = interaction;
  const { watchId, channel } = kept;
  if (watchId === null) return saveNew(ctx, { kept, filters }, interaction);
  const { settings, addresses } = await resolveSettings(ctx, filters);
  const unseen = await neverSeen(ctx, settings.filter, addresses);
  const edit = { shown: kept.shown, settings, leaves: [...leaves, ...hiddenIn(kept)], actor };
  const { changed, meanwhile } = await editWatch({ ...ctx, noteUnseenEdit }, watchId, edit);
  if (changed) await postWatch(ctx, mrkdwn`✏️ ${person(actor)} changed a watch here`, changed, interaction);
  const isMoved = changed !== null && channel !== null && changed.channel !== channel;
  const moved = isMoved && mrkdwn`The watch was moved meanwhile: it alerts ${channelLink(changed.channel)}.`;
  const saved = Object.values((changed?.settings ?? settings).filter).flat();
  const neverSeenLines = unseenLines(unseen.filter(({ name }) => saved.includes(name)));
  const lines = ['✅ Saved.', moved, ...otherLines(meanwhile), ...neverSeenLines, ...watchingLines(addresses)];
  return { content: message(lineSections(lines)) };
}

/** What has to be asked first is asked in the form, which is saved again. */
async function saveNew(
  ctx: SlackCtx,
  { kept, filters }: Pick<Submission, 'kept' | 'filters'>,
  interaction: SubmissionInteraction,
): Promise<ModalOutcome> {
  const { channel, isConfirmed } = kept;
  if (channel === null) throw new InputError('channel', 'A watch belongs to a channel.', null, 'Ask in one.');
  const creating = await createWatch(ctx, { channel, actor: interaction.userId, filters, isConfirmed });
  if (creating.is === 'not-in-channel')
    throw new InputError('channel', "Notif isn't in that channel.", null, 'Run /invite @Notif there, then save again.');
  if (creating.is === 'unconfirmed') {
    const asked = unconfirmedMessage(creating, null).blocks.filter(({ type }) => type !== 'actions');
    const content = message([...asked, section('Save again to create it anyway.')]);
    const form = { kept: { ...kept, isConfirmed: true }, filters, above: [...content.blocks, divider()] };
    return { content, view: await drawForm(ctx, form) };
  }
  await postWatch(ctx, mrkdwn`👁️ ${person(interaction.userId)} created a watch here`, creating.watch, interaction);
  const saved = mrkdwn`✅ Saved: it alerts ${channelLink(channel)}.`;
  return { content: message(lineSections([saved, ...watchingLines(creating.addresses)])) };
}
