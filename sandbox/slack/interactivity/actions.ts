import { optionsOf } from '../block-kit/controls.ts';
import { DEFAULT_MIN_QUERY_LENGTH } from '../block-kit/fields.ts';
import { echoed, messageObject } from '../block-kit/objects.ts';
import type { Json, PageAct } from '../page-protocol.ts';
import type { SeedPerson } from '../seed.ts';
import type { Channel, Message, SlackState } from '../state.ts';
import { lineOf } from '../validate/block-kit.ts';
import { deliver, failed, notDelivered, type Outcome } from './interaction.ts';
import { basePayload, controlAt } from './surfaces.ts';

const CONTROL_GONE = failed('control_not_found', 'This is no longer there.');

type Act<Do extends PageAct['do']> = Extract<PageAct, { do: Do }>;

export async function blockAction(person: SeedPerson, act: Act<'block-action'>, slack: SlackState): Promise<Outcome> {
  const place = controlAt(act, person, slack);
  if (place === undefined) return CONTROL_GONE;
  // Slack copies a button's text and value from the element itself.
  const { type, text, value } = place.control.element;
  const copied = { type, ...(text !== undefined && { text }), ...(value !== undefined && { value }) };
  const ids = { block_id: act.blockId, action_id: act.actionId, action_ts: slack.nextTs() };
  return deliver(
    {
      ...basePayload('block_actions', person, slack),
      trigger_id: slack.triggers.issue(person.id),
      ...place.responseUrl(),
      ...place.payload(act.state),
      actions: [{ ...echoed({ ...copied, ...act.action }), ...ids }],
    },
    slack,
  );
}

export async function suggest(person: SeedPerson, act: Act<'suggest'>, slack: SlackState): Promise<Outcome> {
  const place = controlAt(act, person, slack);
  if (place === undefined) return CONTROL_GONE;
  const { min_query_length: minimum = DEFAULT_MIN_QUERY_LENGTH } = place.control.element;
  if (act.value.length < Number(minimum)) return { ok: true, ackMs: 0, options: [] };
  const delivery = await slack.bot.deliver('interactive', {
    ...basePayload('block_suggestion', person, slack),
    block_id: act.blockId,
    action_id: act.actionId,
    value: act.value,
    ...place.payload({}),
  });
  if (!delivery.ok) return notDelivered(delivery);
  const { response, ackMs } = delivery;
  const [problem] = slack.blockKit.suggestions(response);
  if (problem !== undefined)
    return failed('invalid_options', `The app's options were refused: ${lineOf(problem)}`, ackMs);
  return { ok: true, ackMs, options: optionsOf(response) };
}

export async function chooseShortcut(person: SeedPerson, callbackId: string, slack: SlackState): Promise<Outcome> {
  const trigger = { trigger_id: slack.triggers.issue(person.id), action_ts: slack.nextTs() };
  return deliver({ ...basePayload('shortcut', person, slack), ...trigger, callback_id: callbackId }, slack);
}

export async function chooseMessageShortcut(
  person: SeedPerson,
  callbackId: string,
  { id, name }: Channel,
  message: Message,
  slack: SlackState,
): Promise<Outcome> {
  const payload: Json = {
    ...basePayload('message_action', person, slack),
    callback_id: callbackId,
    trigger_id: slack.triggers.issue(person.id),
    action_ts: slack.nextTs(),
    response_url: slack.responseUrls.issue({ person: person.id, channel: id, sourceTs: message.ts }),
    message_ts: message.ts,
    message: messageObject(message),
    channel: { id, name },
  };
  return deliver(payload, slack);
}
