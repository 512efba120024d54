import type { Arguments } from '../arguments.ts';
import { viewObject } from '../block-kit/view-object.ts';
import type { Json } from '../page-protocol.ts';
import { invalidArguments, Refusal } from '../refusal.ts';
import type { Modal } from '../state/modals.ts';
import type { SlackState } from '../state/slack-state.ts';
import type { View } from '../state/view.ts';
import { acceptHome, acceptModal } from '../validate/accept-view.ts';

export function open(args: Arguments, slack: SlackState): Json {
  const view = acceptModal(args.structure('view'), slack.blockKit);
  const person = slack.triggers.redeem(args.required('trigger_id'));
  return { view: viewObject(slack.modals.open(person, view)) };
}

export function push(args: Arguments, slack: SlackState): Json {
  const view = acceptModal(args.structure('view'), slack.blockKit);
  const person = slack.triggers.redeem(args.required('trigger_id'));
  return { view: viewObject(slack.modals.push(person, view)) };
}

/** Replaces an open view. A closed one is `not_found`, an outdated `hash` is `hash_conflict`. */
export function update(args: Arguments, slack: SlackState): Json {
  const view = acceptModal(args.structure('view'), slack.blockKit);
  const modal = openModal(args, slack);
  refuseOldHash(args, modal);
  return { view: viewObject(slack.modals.update(modal, view)) };
}

/** Publishes a view on one person's Home tab. An outdated `hash` is `hash_conflict`. */
export function publish(args: Arguments, slack: SlackState): Json {
  const view = acceptHome(args.structure('view'), slack.blockKit);
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

function openModal(args: Arguments, slack: SlackState): Modal {
  const externalId = args.text('external_id');
  const modal =
    externalId === undefined ? slack.modals.find(args.required('view_id')) : slack.modals.findByExternalId(externalId);
  if (modal === undefined) throw new Refusal('not_found');
  return modal;
}
