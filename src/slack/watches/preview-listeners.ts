import type { FilterMap } from '../../domain/input/filters.ts';
import type { WatchSettings } from '../../domain/watches/watch.ts';
import { type AddressParts, watchSettingsOf } from '../../use-cases/watches/watch-settings-of.ts';
import { type Preview, type PreviewParts as PreviewWatchParts, previewWatch } from '../../watches/preview.ts';
import { resultView } from '../blocks/view.ts';
import { inModal } from '../interactions/in-modal.ts';
import type { ActionInteraction } from '../interactions/interaction.ts';
import type { ErrorParts } from '../interactions/on-error.ts';
import { actionRoute, OldButtonError, type Route, routesFor } from '../interactions/route.ts';
import { parseWatchForm } from './modal.ts';
import { PREVIEW_FORM, PREVIEW_TITLE, previewMessage, SHOW_PREVIEW } from './preview-message.ts';
import { parseSettings } from './watch-value.ts';

export type PreviewParts = PreviewWatchParts & ErrorParts & AddressParts;

/** [Preview] uses what is filled in. */
export function previewRoutes(parts: PreviewParts): Route[] {
  return routesFor('members', [
    actionRoute(SHOW_PREVIEW, parseSettings, async (filters, interaction) => {
      if (interaction.modal !== null) return show(filters, interaction, parts);
      await interaction.reply.show(previewMessage(await previewOf(filters, parts)));
    }),
    {
      surface: 'action',
      id: PREVIEW_FORM,
      answer: async (interaction) => {
        if (interaction.modal === null) throw new OldButtonError();
        await show(parseWatchForm(interaction.modal), interaction, parts);
      },
    },
  ]);
}

/** On top of the form, which stays unchanged. */
function show(filters: FilterMap, interaction: ActionInteraction, parts: PreviewParts): Promise<void> {
  const draw = async () => resultView(previewMessage(await previewOf(filters, parts)), PREVIEW_TITLE);
  return inModal(interaction, PREVIEW_TITLE, draw, parts);
}

async function previewOf(filters: FilterMap, parts: PreviewParts): Promise<Preview> {
  const { environments } = parts;
  const defaults = { environments, usualEnvironments: [], timeZone: 'UTC' };
  const { settings } = await watchSettingsOf(filters, defaults, parts);
  return previewWatch(settings, parts);
}

/** Watches can be created and changed without it. */
export async function previewOrNone(
  settings: WatchSettings,
  parts: PreviewWatchParts & Pick<ErrorParts, 'logger'>,
): Promise<Preview | null> {
  try {
    return await previewWatch(settings, parts);
  } catch (err) {
    parts.logger.warn({ err }, "a watch's preview couldn't be made");
    return null;
  }
}
