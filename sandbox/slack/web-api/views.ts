import { type Arguments, invalidArguments, Refusal } from '../arguments.ts';
import { viewObject } from '../block-kit/objects.ts';
import type { Json } from '../page-protocol.ts';
import type { SlackState } from '../state/slack-state.ts';
import type { View } from '../state/views.ts';
import { acceptView } from '../validate/accept.ts';

export function open(args: Arguments, slack: SlackState): Json {
  const view = acceptView(args.structure('view'), 'modal', slack.blockKit);
  const person = slack.triggers.redeem(args.required('trigger_id'));
  return { view: viewObject(slack.modals.open(person, view)) };
}

export function push(args: Arguments, slack: SlackState): Json {
  const view = acceptView(args.structure('view'), 'modal', slack.blockKit);
  const person = slack.triggers.redeem(args.required('trigger_id'));
  return { view: viewObject(slack.modals.push(person, view)) };
}

/** Replaces an open view. A closed one is `not_found`, an outdated `hash` is `hash_conflict`. */
export function update(args: Arguments, slack: SlackState): Json {
  const view = acceptView(args.structure('view'), 'modal', slack.blockKit);
  const modal = slack.modals.find(args.required('view_id'));
  if (modal === undefined) throw new Refusal('not_found');
  refuseOldHash(args, modal);
  return { view: viewObject(slack.modals.update(modal, view)) };
}

/** Publishes a view on one person's Home tab. An outdated `hash` is `hash_conflict`. */
export function publish(args: Arguments, slack: SlackState): Json {
  const view = acceptView(args.structure('view'), 'home', slack.blockKit);
  const person = slack.people.find(args.required('user_id'));
  if (person === undefined) throw invalidArguments('invalid `user_id`');
  if (!slack.manifest.features.app_home.home_tab_enabled) throw new Refusal('not_enabled');
  const before = slack.homes.of(person.id);
  if (before !== undefined) refuseOldHash(args, before);
  return { view: viewObject(slack.homes.publish(person.id, view)) };
}

function refuseOldHash(args: Arguments, { hash }: View): void {
  if (![undefined, hash].includes(args.text('hash'))) throw new Refusal('hash_conflict');
}
