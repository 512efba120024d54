import { type Control, controlsIn } from '../block-kit/controls.ts';
import { objectsIn } from '../json.ts';
import type { Json, StateValues, Surface } from '../page-protocol.ts';
import type { SeedPerson } from '../seed.ts';
import type { SlackState } from '../state/slack-state.ts';
import { messagesSeenBy } from '../state/visibility.ts';
import { completeState } from './form-state.ts';
import { messageSurface, viewSurface } from './payloads.ts';

/** A place with components that a person sees: a message, an open view or a Home tab. */
export interface Place {
  readonly blocks: readonly Json[];
  /** Returns the payload's fields about the place, and the state of all components there. */
  payload(typed: StateValues): Json;
  /** Returns the field with the response_url of an action here; empty for views, which have none. */
  responseUrl(): Json;
}

/** Returns the place; undefined if the person doesn't see it. */
export function placeOf(surface: Surface, person: SeedPerson, slack: SlackState): Place | undefined {
  return surface.in === 'view'
    ? viewPlace(surface.viewId, person, slack)
    : messagePlace(surface.channel, surface.ts, person, slack);
}

/** Returns the component with these IDs, if it still exists. */
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
