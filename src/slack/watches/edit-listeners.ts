import type { Environment } from '../../domain/environment.ts';
import type { FilterMap } from '../../domain/input/filters.ts';
import { timeZonesLike } from '../../domain/input/time-zone.ts';
import type { Watch } from '../../domain/watches/watch.ts';
import { parseWatchSettings, problemsWith, type SettingsDefaults } from '../../domain/watches/watch-settings.ts';
import type { UserGroup, Workspace } from '../../use-cases/ports/workspace.ts';
import type { ChangeWatchStore } from '../../use-cases/watches/change-watch.ts';
import { watchSettingsOf } from '../../use-cases/watches/watch-settings-of.ts';
import { parseWatchId } from '../blocks/buttons/watch-buttons.ts';
import { environmentOptions } from '../blocks/inputs/environment-input.ts';
import { optionOf } from '../blocks/inputs/inputs.ts';
import { MOST_OPTIONS } from '../blocks/limits.ts';
import { code, joined, type Markup, mrkdwn, person } from '../blocks/text.ts';
import { resultView, waitingView } from '../blocks/view.ts';
import { settingsLines } from '../blocks/words/watch-words.ts';
import { inModal } from '../interactions/in-modal.ts';
import type { ActionInteraction, SubmissionInteraction } from '../interactions/interaction.ts';
import { explained } from '../interactions/on-error.ts';
import { type NoticeParts, postInChannel } from '../interactions/post-notice.ts';
import { actionRoute, type Route, routesFor } from '../interactions/route.ts';
import { changedMessage, EDIT, ENDED_BEFORE, notSavedMessage, savedMessage, unchangedMessage } from './message.ts';
import {
  EDIT_FORM,
  EDIT_TITLE,
  ENVIRONMENTS,
  errorsUnder,
  formOf,
  parseFormMetadata,
  parseWatchForm,
  TIME_ZONE,
  USER_GROUP,
  type WatchForm,
  watchView,
} from './modal.ts';
import { type PreviewParts, previewOrNone } from './preview-listeners.ts';

export interface EditParts extends NoticeParts, PreviewParts {
  readonly environments: readonly Environment[];
  readonly store: ChangeWatchStore & {
    watch(watchId: string): Promise<Watch | null>;
    /** The channels with failures in any environment. */
    channelNames(): Promise<readonly string[]>;
  };
  readonly workspace: Workspace;
  readonly now: () => Date;
}

export function editRoutes(parts: EditParts): Route[] {
  return routesFor('members', [
    actionRoute(EDIT, parseWatchId, (watchId, interaction) => openForm(watchId, interaction, parts)),
    {
      surface: 'options',
      id: USER_GROUP,
      answer: async ({ typed }) => groupOptions(typed, await parts.workspace.userGroups()),
    },
    {
      surface: 'options',
      id: ENVIRONMENTS,
      answer: async ({ typed }) => environmentOptions(parts.environments, typed),
    },
    { surface: 'options', id: TIME_ZONE, answer: async ({ typed }) => zoneOptions(typed) },
    {
      surface: 'view',
      callbackId: EDIT_FORM,
      take: (view) => {
        const filters = parseWatchForm(view);
        const { environments } = parts;
        const defaults = { environments, usualEnvironments: [], timeZone: 'UTC' };
        const problems = problemsWith(filters, defaults);
        if (problems.length > 0) return { is: 'refused', errors: errorsUnder(problems) };
        const form = parseFormMetadata(view.privateMetadata);
        const next = waitingView(EDIT_TITLE, mrkdwn`⏳ Saving …`);
        return { is: 'taken', next, answer: (interaction) => save(form, { filters, defaults }, interaction, parts) };
      },
    },
  ]);
}

async function openForm(watchId: string, interaction: ActionInteraction, parts: EditParts): Promise<void> {
  const { store } = parts;
  await inModal(
    interaction,
    EDIT_TITLE,
    async () => {
      const watch = await store.watch(watchId);
      if (watch === null) return resultView(ENDED_BEFORE, EDIT_TITLE);
      const preview = await previewOrNone(watch.settings, parts);
      return watchView({ ...formOf(watch), ...(await offered(parts)), note: null, preview });
    },
    parts,
  );
}

async function offered(parts: EditParts): Promise<Pick<WatchForm, 'environments' | 'userGroups' | 'channels'>> {
  const [userGroups, channels] = await Promise.all([knownGroups(parts), parts.store.channelNames()]);
  return { environments: parts.environments, userGroups, channels };
}

/** If Slack doesn't list them, the current one is shown by its ID. */
async function knownGroups({ workspace, logger }: EditParts): Promise<readonly UserGroup[]> {
  try {
    return await workspace.userGroups();
  } catch (error) {
    logger.warn({ err: error }, "the user groups couldn't be read");
    return [];
  }
}

/** If another person saved it meanwhile, or an email address isn't found, the form keeps what was typed and says so. */
async function save(
  { watchId, was }: { readonly watchId: string; readonly was: string },
  typed: { readonly filters: FilterMap; readonly defaults: SettingsDefaults },
  interaction: SubmissionInteraction,
  parts: EditParts,
): Promise<void> {
  const { environments } = parts;
  const by = interaction.userId;
  const read = await watchSettingsOf(typed.filters, typed.defaults, parts).catch((error: unknown) =>
    explained(error, parts),
  );
  if (!('settings' in read)) {
    const { email: emails = [], ...filters } = typed.filters;
    const settings = parseWatchSettings(filters, typed.defaults);
    return showAgain({ watchId, was, settings, emails }, notSavedReason(read), interaction, parts);
  }
  const { settings, addresses } = read;
  const changed = await parts.store.changeWatch(watchId, { settings, was, by }, parts.now());
  switch (changed.outcome) {
    case 'changed': {
      const { watch } = changed;
      parts.logger.info({ watchId, channel: watch.channel, by }, 'watch changed');
      const preview = await previewOrNone(watch.settings, parts);
      const change = changedMessage(watch, by, environments, preview);
      const isPosted = await postInChannel(watch.channel, change, interaction, parts);
      await interaction.modal.update(resultView(savedMessage(isPosted, addresses), EDIT_TITLE));
      return;
    }
    case 'unchanged':
      await interaction.modal.update(resultView(unchangedMessage(addresses), EDIT_TITLE));
      return;
    case 'meanwhile': {
      const reason = meanwhileReason(changed.watch, changed.by, environments);
      return showAgain({ ...formOf(changed.watch), settings }, reason, interaction, parts);
    }
    case 'there-already':
      return showAgain({ watchId, was, settings }, thereAlreadyReason(changed.number), interaction, parts);
    case 'ended':
      await interaction.reply.show(ENDED_BEFORE);
      return;
  }
}

/** A person who closed the form gets the reason in a direct message. */
async function showAgain(
  form: Pick<WatchForm, 'watchId' | 'settings' | 'was' | 'emails'>,
  reason: Markup,
  { modal, outside }: SubmissionInteraction,
  parts: EditParts,
): Promise<void> {
  const note = mrkdwn`⚠️ ${reason} Your changes aren't saved yet: Save replaces the watch's settings with those below.`;
  const shown = await modal.update(watchView({ ...form, ...(await offered(parts)), note, preview: null }));
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

function thereAlreadyReason(number: number): Markup {
  return mrkdwn`Watch ${number} of this channel has these settings already, so each alert would be posted twice. Change a setting, or remove this watch.`;
}

function groupOptions(typed: string, groups: readonly UserGroup[]) {
  const wanted = typed.trim().replace(/^@/, '').toLowerCase();
  const found = groups.filter(({ handle }) => handle.toLowerCase().includes(wanted));
  return found.slice(0, MOST_OPTIONS).map(({ id, handle }) => optionOf({ label: `@${handle}`, value: id }));
}

function zoneOptions(typed: string) {
  return timeZonesLike(typed, MOST_OPTIONS).map((zone) => optionOf({ label: zone, value: zone }));
}
