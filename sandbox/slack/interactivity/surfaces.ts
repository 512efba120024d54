import { type Control, controlsIn } from '../block-kit/controls.ts';
import { DEFAULT_MAX_LENGTH, initialStateOf, valueIn } from '../block-kit/fields.ts';
import { echoed, messageObject, viewObject } from '../block-kit/objects.ts';
import { objectsIn } from '../json.ts';
import type { FieldContents, Json, StateValues, Surface } from '../page-protocol.ts';
import { APP_ID, ENTERPRISE, OTHER_TEAM, type SeedPerson, TEAM } from '../seed.ts';
import type { Channel } from '../state/conversations.ts';
import type { Message } from '../state/messages.ts';
import { standingOf } from '../state/people.ts';
import type { SlackState } from '../state/slack-state.ts';
import type { View } from '../state/views.ts';
import { messagesSeenBy } from '../workspace/snapshot.ts';

/** The obsolete verification token. Slack still sends one; apps verify by signature or by socket. */
const VERIFICATION_TOKEN = 'sandbox';

export function common(type: string, person: SeedPerson, { isInEnterprise }: Pick<SlackState, 'isInEnterprise'>): Json {
  const { id, name, teamId = TEAM.id, isNameless = false } = person;
  const names = isNameless ? {} : { username: name, name };
  return {
    type,
    token: VERIFICATION_TOKEN,
    api_app_id: APP_ID,
    team: isInEnterprise ? { ...TEAM, enterprise_id: ENTERPRISE.id, enterprise_name: ENTERPRISE.name } : TEAM,
    enterprise: isInEnterprise ? ENTERPRISE : null,
    is_enterprise_install: false,
    user: { id, ...names, team_id: teamId },
  };
}

/** Returns a slash command's payload; all values are strings, as in Slack. The team is the person's own. */
export function slashCommand(
  typed: {
    person: SeedPerson;
    channel: Channel;
    command: string;
    text: string;
    triggerId: string;
    responseUrl: string;
  },
  { isInEnterprise }: Pick<SlackState, 'isInEnterprise'>,
): Json {
  return {
    token: VERIFICATION_TOKEN,
    ...teamOf(typed.person),
    ...(isInEnterprise ? { enterprise_id: ENTERPRISE.id, enterprise_name: ENTERPRISE.name } : {}),
    channel_id: typed.channel.id,
    channel_name: typed.channel.name,
    user_id: typed.person.id,
    ...(typed.person.isNameless ? {} : { user_name: typed.person.name }),
    command: typed.command,
    text: typed.text,
    api_app_id: APP_ID,
    is_enterprise_install: 'false',
    response_url: typed.responseUrl,
    trigger_id: typed.triggerId,
  };
}

function teamOf(person: SeedPerson): Json {
  const { teamId = TEAM.id } = person;
  return {
    team_id: teamId,
    team_domain: standingOf(person) === 'other organization' ? OTHER_TEAM.domain : TEAM.domain,
  };
}

/** Returns a component's place for `block_actions` and `block_suggestion`. Slack leaves out the message if it is ephemeral. */
function messageSurface(message: Message, channel: Channel, values: StateValues): Json {
  const isEphemeral = message.onlyVisibleTo !== null;
  return {
    container: {
      type: 'message',
      message_ts: message.ts,
      channel_id: channel.id,
      is_ephemeral: isEphemeral,
      ...(message.threadTs === null ? {} : { thread_ts: message.threadTs }),
    },
    channel: { id: channel.id, name: channel.name },
    ...(isEphemeral ? {} : { message: messageObject(message) }),
    state: { values: echoed(values) },
  };
}

function viewSurface(shown: View, values: StateValues): Json {
  return { container: { type: 'view', view_id: shown.id }, view: viewObject(shown, values) };
}

/** Returns what Slack's client complains about in a field before the bot gets the form; empty if the value is valid. */
function complaintAbout(block: Json, { max_length: max, max_selected_items: maxItems }: Json, value: unknown): string {
  const isEmpty = value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);
  if (isEmpty) return block.optional === true ? '' : 'Please complete this required field.';
  if (Array.isArray(value) && typeof maxItems === 'number' && value.length > maxItems)
    return `Choose at most ${maxItems}.`;
  const most = typeof max === 'number' ? max : DEFAULT_MAX_LENGTH;
  return typeof value === 'string' && value.length > most ? `Use at most ${most} characters.` : '';
}

/**
 * Returns Slack's `state.values` of the blocks: the input, else what the field began with, else empty. Leaves out unknown fields in `typed`.
 *
 * @param starts of a view; in a message a field begins with its initial value.
 */
export function completeState(blocks: readonly Json[], typed: StateValues, starts: FieldContents = {}): StateValues {
  const values: Record<string, Record<string, Json>> = {};
  for (const { blockId, actionId, element } of controlsIn(blocks)) {
    const initial = initialStateOf(element);
    if (initial === undefined) continue;
    const state = typed[blockId]?.[actionId] ?? starts[blockId]?.[actionId]?.state ?? initial;
    values[blockId] = { ...values[blockId], [actionId]: state };
  }
  return values;
}

/** Returns what Slack's client refuses before the bot gets the form, such as empty required fields, by block_id. */
export function incompleteFields(blocks: readonly Json[], values: StateValues): Readonly<Record<string, string>> {
  const inputs = controlsIn(blocks).filter(({ block }) => block.type === 'input');
  const problems = inputs.map(({ blockId, actionId, block, element }) => {
    const value = valueIn(values[blockId]?.[actionId] ?? {});
    return [blockId, complaintAbout(block, element, value)] as const;
  });
  return Object.fromEntries(problems.filter(([, complaint]) => complaint !== ''));
}

/** A place with components that a person sees: a message, an open view or a Home tab. */
export interface Place {
  readonly blocks: readonly Json[];
  /** Returns the payload's fields about the place, and the state of all components there. */
  payload(typed: StateValues): Json;
  /** Returns the field with the response_url of an action here; empty for views, which have none. */
  responseUrl(): Json;
}

export function placeOf(surface: Surface, person: SeedPerson, slack: SlackState): Place | undefined {
  return surface.in === 'view'
    ? viewPlace(surface.viewId, person, slack)
    : messagePlace(surface.channel, surface.ts, person, slack);
}

export function controlAt(place: Place | undefined, blockId: string, actionId: string): Control | undefined {
  return controlsIn(place?.blocks ?? []).find((each) => each.blockId === blockId && each.actionId === actionId);
}

function viewPlace(viewId: string, person: SeedPerson, slack: SlackState): Place | undefined {
  const shown = slack.modals.find(viewId) ?? slack.homes.find(viewId);
  if (shown === undefined || shown.person !== person.id) return undefined;
  const blocks = objectsIn(shown.view, 'blocks');
  return {
    blocks,
    payload: (typed) => viewSurface(shown, completeState(blocks, typed, shown.starts)),
    responseUrl: () => ({}),
  };
}

function messagePlace(channelId: string, ts: string, person: SeedPerson, slack: SlackState): Place | undefined {
  const channel = slack.conversations.find(channelId);
  const message = messagesSeenBy(person, channelId, slack).find((each) => each.ts === ts);
  if (channel === undefined || message === undefined) return undefined;
  const { blocks } = message;
  const target = { person: person.id, channel: channel.id, sourceTs: ts };
  return {
    blocks,
    payload: (typed) => messageSurface(message, channel, completeState(blocks, typed)),
    responseUrl: () => ({ response_url: slack.responseUrls.issue(target) }),
  };
}
