import type { PlainTextOption } from '@slack/types';
import type { Environment } from '../../../lib/environment.ts';
import type { FilterMap } from '../../../lib/input/filters.ts';
import { timeZonesLike } from '../../../lib/input/time-zone.ts';
import type { UserGroup } from '../../../lib/workspace.ts';
import { type AddressFound, settingsTyped } from '../../../watches/create.ts';
import { problemsWith, type SettingsDefaults } from '../../../watches/parse-settings.ts';
import { type Preview, previewWatch } from '../../../watches/preview.ts';
import { filtersOf, settingsKey, type Watch } from '../../../watches/settings.ts';
import { changeWatch, watchWithId } from '../../../watches/watches.ts';
import type { SlackCtx } from '../../ctx.ts';
import { type MessageContent, message, section, sentence } from '../../kit/blocks.ts';
import { parseOnly } from '../../kit/button-value.ts';
import { environmentOptions } from '../../kit/inputs.ts';
import { MOST_OPTIONS } from '../../kit/limits.ts';
import { code, joined, type Markup, mrkdwn, person } from '../../kit/text.ts';
import { resultView, waitingView } from '../../kit/view.ts';
import { settingsLines } from '../../kit/words/watch-words.ts';
import { inModal } from '../../router/in-modal.ts';
import type { ActionInteraction, SubmissionInteraction } from '../../router/interaction.ts';
import { explained } from '../../router/on-error.ts';
import { postInChannel } from '../../router/post-notice.ts';
import { actionRoute, OldButtonError, type Route, routesFor, type Surface } from '../../router/route.ts';
import { EDIT, ENDED_BEFORE } from './buttons.ts';
import { watchingBlocks } from './create.ts';
import {
  EDIT_FORM,
  EDIT_TITLE,
  ENVIRONMENTS,
  errorsUnder,
  type FormMetadata,
  optionFor,
  parseFormMetadata,
  parseWatchForm,
  TIME_ZONE,
  USER_GROUP,
  type WatchForm,
  watchView,
} from './form.ts';
import {
  PREVIEW_FORM,
  PREVIEW_TITLE,
  parseSettings,
  previewMessage,
  previewOrNone,
  SHOW_PREVIEW,
  watchMessage,
} from './preview.ts';

export function editRoutes(ctx: SlackCtx): Route[] {
  return routesFor('members', [
    actionRoute(EDIT, parseOnly, (watchId, interaction) => openForm(ctx, watchId, interaction)),
    actionRoute(SHOW_PREVIEW, parseSettings, async (filters, interaction) => {
      if (interaction.modal !== null) return showPreview(ctx, filters, interaction);
      await interaction.reply.show(previewMessage(await previewOf(ctx, filters)));
    }),
    {
      surface: 'action',
      id: PREVIEW_FORM,
      answer: async (interaction) => {
        if (interaction.modal === null) throw new OldButtonError();
        await showPreview(ctx, parseWatchForm(interaction.modal), interaction);
      },
    },
    optionsRoute(USER_GROUP, async (typed) => groupOptions(typed, await ctx.workspace.userGroups())),
    optionsRoute(ENVIRONMENTS, async (typed) => environmentOptions(ctx.environments, typed)),
    optionsRoute(TIME_ZONE, async (typed) => timeZonesLike(typed, MOST_OPTIONS).map((zone) => optionFor(zone, zone))),
    {
      surface: 'view',
      callbackId: EDIT_FORM,
      take: (view) => {
        const filters = parseWatchForm(view);
        const problems = problemsWith(filters, defaultsOf(ctx));
        if (problems.length > 0) return { is: 'refused', errors: errorsUnder(problems) };
        const form = parseFormMetadata(view.privateMetadata);
        const next = waitingView(EDIT_TITLE, mrkdwn`⏳ Saving …`);
        return { is: 'taken', next, answer: (interaction) => save(ctx, { ...form, filters }, interaction) };
      },
    },
  ]);
}

/** On top of the form, which stays unchanged. */
function showPreview(ctx: SlackCtx, filters: FilterMap, interaction: ActionInteraction): Promise<void> {
  const draw = async () => resultView(previewMessage(await previewOf(ctx, filters)), PREVIEW_TITLE);
  return inModal(ctx, interaction, PREVIEW_TITLE, draw);
}

async function previewOf(ctx: SlackCtx, filters: FilterMap): Promise<Preview> {
  return previewWatch(ctx, (await settingsTyped(ctx, filters, defaultsOf(ctx))).settings);
}

function defaultsOf({ environments }: SlackCtx): SettingsDefaults {
  return { environments, usualEnvironments: [], timeZone: 'UTC' };
}

function optionsRoute(id: string, optionsFor: (typed: string) => Promise<PlainTextOption[]>): Surface {
  return { surface: 'options', id, answer: ({ typed }) => optionsFor(typed) };
}

async function openForm(ctx: SlackCtx, watchId: string, interaction: ActionInteraction): Promise<void> {
  const draw = async () => {
    const watch = await watchWithId(ctx.db, watchId);
    if (watch === null) return resultView(ENDED_BEFORE, EDIT_TITLE);
    const { settings } = watch;
    const form = { watchId, was: settingsKey(settings), filters: filtersOf(settings) };
    return watchView({ ...form, ...(await offered(ctx)), note: null, preview: await previewOrNone(ctx, settings) });
  };
  await inModal(ctx, interaction, EDIT_TITLE, draw);
}

async function offered(ctx: SlackCtx): Promise<Pick<WatchForm, 'environments' | 'userGroups' | 'channels'>> {
  const [userGroups, channels] = await Promise.all([knownGroups(ctx), ctx.store.polling.channelNames()]);
  return { environments: ctx.environments, userGroups, channels };
}

/** If Slack doesn't list them, the current one is shown by its ID. */
async function knownGroups({ workspace, logger }: SlackCtx): Promise<readonly UserGroup[]> {
  try {
    return await workspace.userGroups();
  } catch (error) {
    logger.warn({ err: error }, "the user groups couldn't be read");
    return [];
  }
}

interface TypedForm extends FormMetadata {
  readonly filters: FilterMap;
}

/** If another person saved it meanwhile, or an email address isn't found, the form keeps what was typed and says so. */
async function save(ctx: SlackCtx, form: TypedForm, interaction: SubmissionInteraction): Promise<void> {
  const { watchId, was, filters } = form;
  const { userId: by, modal } = interaction;
  const read = await settingsTyped(ctx, filters, defaultsOf(ctx)).catch((error: unknown) => explained(ctx, error));
  if (!('settings' in read)) return showAgain(ctx, form, notSavedReason(read), interaction);
  const { settings, addresses } = read;
  const typed = { ...form, filters: filtersOf(settings) };
  const changed = await changeWatch(ctx, watchId, { settings, was, by });
  switch (changed.is) {
    case 'changed': {
      const { watch } = changed;
      const change = changedMessage(watch, by, ctx.environments, await previewOrNone(ctx, settings));
      const isPosted = await postInChannel(ctx, watch.channel, change, interaction);
      await modal.update(resultView(savedMessage(isPosted, addresses), EDIT_TITLE));
      return;
    }
    case 'unchanged':
      await modal.update(resultView(confirmation(mrkdwn`Saved: the watch has these settings.`, addresses), EDIT_TITLE));
      return;
    case 'meanwhile': {
      const reason = meanwhileReason(changed.watch, changed.by, ctx.environments);
      return showAgain(ctx, { ...typed, was: settingsKey(changed.watch.settings) }, reason, interaction);
    }
    case 'there-already': {
      const reason = mrkdwn`Watch ${changed.number} of this channel has these settings already, so each alert would be posted twice. Change a setting, or remove this watch.`;
      return showAgain(ctx, typed, reason, interaction);
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
  const shown = await modal.update(watchView({ ...form, ...(await offered(ctx)), note, preview: null }));
  if (shown === 'closed') await outside.show(notSavedMessage(reason));
}

function notSavedReason({ text: { what, next }, reference }: ReturnType<typeof explained>): Markup {
  const quoted = reference === null ? mrkdwn`` : mrkdwn` Reference ${code(reference)}.`;
  return mrkdwn`${what} ${next}${quoted}`;
}

function meanwhileReason({ settings }: Watch, by: string | null, environments: readonly Environment[]): Markup {
  const what = by === null ? mrkdwn`This watch changed` : mrkdwn`${person(by)} changed this watch`;
  const lines = settingsLines(settings, { environments, namesPeople: true });
  return mrkdwn`${what} while you edited it. It is now: ${joined(lines, ' · ')}.`;
}

function groupOptions(typed: string, groups: readonly UserGroup[]) {
  const wanted = typed.trim().replace(/^@/, '').toLowerCase();
  const found = groups.filter(({ handle }) => handle.toLowerCase().includes(wanted));
  return found.slice(0, MOST_OPTIONS).map(({ id, handle }) => optionFor(`@${handle}`, id));
}

export function changedMessage(
  watch: Watch,
  by: string,
  environments: readonly Environment[],
  preview: Preview | null = null,
): MessageContent {
  return watchMessage(mrkdwn`✏️ ${person(by)} changed a watch here`, watch, { environments, preview });
}

/** `isPosted`: whether Slack confirmed the message to the channel. */
export function savedMessage(isPosted: boolean, addresses: readonly AddressFound[] = []): MessageContent {
  const what = isPosted
    ? mrkdwn`Saved. The channel was informed.`
    : mrkdwn`Saved. Slack didn't confirm the message to the channel, so people there may not know.`;
  return confirmation(what, addresses);
}

function confirmation(what: Markup, addresses: readonly AddressFound[]): MessageContent {
  return message(what, [section(mrkdwn`✅ ${what}`), ...watchingBlocks(addresses)]);
}

/** To a person who closed the form. */
function notSavedMessage(reason: Markup): MessageContent {
  return sentence(
    mrkdwn`⚠️ Your change of a watch isn't saved. ${reason} To try again, open *Edit* in ${code('/notif watches')}.`,
  );
}
