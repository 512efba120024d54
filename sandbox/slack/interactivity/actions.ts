import { optionsOf } from '../block-kit/controls.ts';
import { echoed, messageObject } from '../block-kit/objects.ts';
import type { Json, PageAct } from '../page-protocol.ts';
import type { SeedPerson } from '../seed.ts';
import type { Channel } from '../state/conversations.ts';
import type { Message } from '../state/messages.ts';
import type { SlackState } from '../state/slack-state.ts';
import { lineOf } from '../validate/check.ts';
import { failed, type Interaction, notTold, tell } from './interaction.ts';
import { common, controlAt, placeOf } from './surfaces.ts';

type BlockAction = Extract<PageAct, { do: 'block-action' }>;

export async function blockAction(person: SeedPerson, act: BlockAction, slack: SlackState): Promise<Interaction> {
  const place = placeOf(act.surface, person, slack);
  const control = controlAt(place, act.blockId, act.actionId);
  if (place === undefined || control === undefined) return failed('control_not_found', 'This is no longer there.');
  const actionTs = slack.nextTs();
  return tell(
    {
      ...common('block_actions', person, slack),
      trigger_id: slack.triggers.issue(person.id),
      ...place.responseUrl(),
      ...place.payload(act.state),
      actions: [{ ...echoed({ ...ofElement(control.element), ...act.action }), ...idsOf(act), action_ts: actionTs }],
    },
    slack,
  );
}

/** Returns what Slack copies from the element itself: a button's text and value. */
function ofElement({ type, text, value }: Json): Json {
  const said = Object.entries({ text, value }).filter(([, each]) => each !== undefined);
  return { type, ...Object.fromEntries(said) };
}

function idsOf({ blockId, actionId }: BlockAction): Json {
  return { block_id: blockId, action_id: actionId };
}

/** The number of typed characters from which Slack asks the bot, unless the element says otherwise. */
const DEFAULT_MIN_QUERY_LENGTH = 3;

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

export async function chooseShortcut(person: SeedPerson, callbackId: string, slack: SlackState): Promise<Interaction> {
  if (!offers('global', callbackId, slack)) return failed('unknown_shortcut', `There is no shortcut ${callbackId}.`);
  const trigger = { trigger_id: slack.triggers.issue(person.id), action_ts: slack.nextTs() };
  return tell({ ...common('shortcut', person, slack), ...trigger, callback_id: callbackId }, slack);
}

export async function chooseMessageShortcut(
  {
    person,
    callbackId,
    channel,
    message,
  }: { person: SeedPerson; callbackId: string; channel: Channel; message: Message },
  slack: SlackState,
): Promise<Interaction> {
  if (!offers('message', callbackId, slack)) return failed('unknown_shortcut', `There is no shortcut ${callbackId}.`);
  const target = { person: person.id, channel: channel.id, sourceTs: message.ts };
  return tell(
    {
      ...common('message_action', person, slack),
      callback_id: callbackId,
      trigger_id: slack.triggers.issue(person.id),
      response_url: slack.responseUrls.issue(target),
      action_ts: slack.nextTs(),
      message_ts: message.ts,
      message: messageObject(message),
      channel: { id: channel.id, name: channel.name },
    },
    slack,
  );
}

function offers(type: 'global' | 'message', callbackId: string, slack: SlackState): boolean {
  return slack.manifest.features.shortcuts.some((each) => each.type === type && each.callback_id === callbackId);
}
