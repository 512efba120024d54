import { previewWatch } from '../../../alerts/preview.ts';
import { InputError, StoreTroubleError } from '../../../lib/errors.ts';
import { FilterError, type FilterMap } from '../../../lib/input/filters.ts';
import { parseAddresses } from '../../../lib/input/typed-values.ts';
import { EditConflict, editWatch, type OtherChange, shownIn } from '../../../watches/edit.ts';
import { neverSeen } from '../../../watches/never-seen.ts';
import {
  filtersOf,
  parseMention,
  parseWatchSettings,
  resolveSettings,
  type WatchKey,
} from '../../../watches/parse-settings.ts';
import { existingWatch } from '../../../watches/watches.ts';
import type { SlackCtx } from '../../ctx.ts';
import { divider, lineSections } from '../../kit/blocks.ts';
import { parseSingle } from '../../kit/buttons.ts';
import { cardFor } from '../../kit/error-card.ts';
import { inFormModal, inModal } from '../../kit/in-modal.ts';
import type { FormErrors } from '../../kit/inputs.ts';
import type { ActionInteraction, FilledView, SubmissionInteraction, Submitted } from '../../kit/interaction.ts';
import { keptIn, message, resultView, waitingView, withNote } from '../../kit/message.ts';
import { capitalized } from '../../kit/names.ts';
import { bold, channelLink, code, type Line, listed, type Markup, mention, mrkdwn, person } from '../../kit/text.ts';
import { actionRoute, OldButtonError, type Surface } from '../../router/route.ts';
import { EDIT_FORM, Kept, leftIn, parseWatchForm, settingLabel, TITLE, type WatchForm, watchView } from './form.ts';
import { EDIT, parseFilters, postWatch, previewMessage, SHOW_PREVIEW, unseenLines, watchingLines } from './messages.ts';

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
    const { settings, channel } = await existingWatch(ctx.db, watchId);
    const kept = { watchId, channel, shown: shownIn(settings), conflicts: [] };
    return drawForm(ctx, { kept, filters: filtersOf(settings), above: [] });
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

function take(ctx: SlackCtx, view: FilledView): Submitted {
  const filters = parseWatchForm(view);
  const errors = errorsIn(filters, ctx);
  if (Object.keys(errors).length > 0) return { is: 'invalid', errors };
  const kept = keptIn(Kept, view);
  const leaves = leftIn(kept, view);
  return inFormModal(ctx, {
    next: waitingView(TITLE, '⏳ Saving …'),
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

async function askWhich(ctx: SlackCtx, kept: Kept, conflict: EditConflict) {
  const { settings, shown, conflicts, meanwhile } = conflict;
  const keys = conflicts.map(({ key }) => key);
  const lines = conflicts.map(({ key, stored, edited }) => {
    return mrkdwn`${bold(settingLabel(key))} · saved: ${valuesWords(stored)} · yours: ${valuesWords(edited)}`;
  });
  const what = mrkdwn`⚠️ ${conflict.message} Nothing of yours is saved yet.`;
  const content = message(lineSections([what, ...lines, ...otherLines(meanwhile), conflict.next]));
  const form = { kept: { ...kept, shown, conflicts: keys }, filters: filtersOf(settings), above: content.blocks };
  return { view: await drawForm(ctx, form), content };
}

type Submission = Pick<WatchForm, 'kept' | 'filters'> & { leaves: readonly WatchKey[] };

async function save(ctx: SlackCtx, { kept, filters, leaves }: Submission, interaction: SubmissionInteraction) {
  const { userId: actor } = interaction;
  const { settings, addresses } = await resolveSettings(ctx, filters);
  const unseen = await neverSeen(ctx, settings.filter, addresses);
  const edit = { shown: kept.shown, settings, leaves, actor };
  const { changed, meanwhile } = await editWatch(ctx, kept.watchId, edit);
  if (changed) await postWatch(ctx, mrkdwn`✏️ ${person(actor)} changed a watch here`, changed, interaction);
  const isMoved = changed !== null && kept.channel !== null && changed.channel !== kept.channel;
  const moved = isMoved && mrkdwn`The watch was moved meanwhile: it alerts ${channelLink(changed.channel)}.`;
  const saved = Object.values((changed?.settings ?? settings).filter).flat();
  const odd = unseenLines(unseen.filter(({ name }) => saved.includes(name)));
  const lines = ['✅ Saved.', moved, ...otherLines(meanwhile), ...odd, ...watchingLines(addresses)];
  return { content: message(lineSections(lines)) };
}
