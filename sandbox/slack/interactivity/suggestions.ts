import { optionsOf } from '../block-kit/controls.ts';
import type { PageAct } from '../page-protocol.ts';
import type { SeedPerson } from '../seed.ts';
import type { SlackState } from '../state/slack-state.ts';
import { lineOf } from '../validate/check.ts';
import { failed, type Interaction } from './interaction.ts';
import { common } from './payloads.ts';
import { controlAt, placeOf } from './surfaces.ts';
import { notTold } from './tell.ts';

/** The number of typed characters from which Slack asks the bot, unless the element says otherwise. */
const DEFAULT_MIN_QUERY_LENGTH = 3;

/** Returns the bot's options while a person types in a select. */
export async function suggest(
  person: SeedPerson,
  act: Extract<PageAct, { do: 'suggest' }>,
  slack: SlackState,
): Promise<Interaction> {
  const place = placeOf(act.surface, person, slack);
  const control = controlAt(place, act.blockId, act.actionId);
  if (place === undefined || control === undefined) return failed('control_not_found', 'This is no longer there.');
  const { min_query_length: minimum = DEFAULT_MIN_QUERY_LENGTH } = control.element;
  if (act.value.length < Number(minimum)) return { ok: true, ackMs: 0, options: [] };
  const delivery = await slack.bot.deliver('interactive', {
    ...common('block_suggestion', person, slack),
    block_id: act.blockId,
    action_id: act.actionId,
    value: act.value,
    ...place.payload({}),
  });
  if (!delivery.ok) return notTold(delivery);
  const [problem] = slack.blockKit.suggestions(delivery.response);
  if (problem !== undefined) {
    return failed('invalid_options', `The app's options were refused: ${lineOf(problem)}`, delivery.ackMs);
  }
  return { ok: true, ackMs: delivery.ackMs, options: optionsOf(delivery.response) };
}
