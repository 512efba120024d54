import { type Control, completeState, controlsIn } from '../block-kit/controls.ts';
import { echoed, messageObject, viewObject } from '../block-kit/objects.ts';
import { objectsIn } from '../json.ts';
import type { Json, StateValues, Surface } from '../page-protocol.ts';
import { ENTERPRISE, type SeedPerson, TEAM } from '../seed.ts';
import type { Channel, Message, SlackState } from '../state.ts';
import { messagesSeenBy } from '../workspace/snapshot.ts';

/** The fields of every payload by which Bolt finds the workspace and the person. */
export function basePayload(type: string, { id, teamId = TEAM.id }: SeedPerson, { isInEnterprise }: SlackState): Json {
  return {
    type,
    is_enterprise_install: false,
    team: { id: TEAM.id },
    user: { id, team_id: teamId },
    enterprise: isInEnterprise ? { id: ENTERPRISE.id } : null,
  };
}

/** A view or message that the person sees. */
interface Place {
  blocks: readonly Json[];
  /** The fields of a payload that describe it, with what the person typed in it. */
  payload(typed: StateValues): Json;
  /** The field of a payload with a new response_url. Views have none. */
  responseUrl(): Json;
}

interface FoundControl extends Place {
  control: Control;
}

interface Component {
  surface: Surface;
  blockId: string;
  actionId: string;
}

export function controlAt(
  { surface, blockId, actionId }: Component,
  person: SeedPerson,
  slack: SlackState,
): FoundControl | undefined {
  const place = surface.in === 'view' ? viewPlace(surface, person, slack) : messagePlace(surface, person, slack);
  const control = controlsIn(place?.blocks ?? []).find(
    (each) => each.blockId === blockId && each.actionId === actionId,
  );
  return place && control && { ...place, control };
}

type OfKind<Kind extends Surface['in']> = Extract<Surface, { in: Kind }>;

function viewPlace({ viewId }: OfKind<'view'>, person: SeedPerson, slack: SlackState): Place | undefined {
  const shown = slack.views.find(viewId);
  if (shown?.person !== person.id) return undefined;
  const blocks = objectsIn(shown.view, 'blocks');
  return {
    blocks,
    payload: (typed) => ({
      container: { type: 'view', view_id: shown.id },
      view: viewObject(shown, completeState(blocks, typed, shown.starts)),
    }),
    responseUrl: () => ({}),
  };
}

function messagePlace(surface: OfKind<'message'>, person: SeedPerson, slack: SlackState): Place | undefined {
  const channel = slack.channelOrDirect(surface.channel);
  const message = messagesSeenBy(person, surface.channel, slack).find(({ ts }) => ts === surface.ts);
  if (channel === undefined || message === undefined) return undefined;
  const { blocks, ts } = message;
  return {
    blocks,
    payload: (typed) => messageSurface(message, channel, completeState(blocks, typed)),
    responseUrl: () => ({
      response_url: slack.responseUrls.issue({ person: person.id, channel: channel.id, sourceTs: ts }),
    }),
  };
}

function messageSurface(message: Message, { id, name }: Channel, values: StateValues): Json {
  const { ts, threadTs, onlyVisibleTo } = message;
  const isEphemeral = onlyVisibleTo !== null;
  return {
    container: {
      type: 'message',
      message_ts: ts,
      channel_id: id,
      is_ephemeral: isEphemeral,
      ...(threadTs !== null && { thread_ts: threadTs }),
    },
    channel: { id, name },
    ...(!isEphemeral && { message: messageObject(message) }),
    state: { values: echoed(values) },
  };
}
