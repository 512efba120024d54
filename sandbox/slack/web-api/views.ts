import type { Arguments } from '../arguments.ts';
import { viewObject } from '../block-kit/view-object.ts';
import { stringIn } from '../json.ts';
import type { Json } from '../page-protocol.ts';
import { Refusal } from '../refusal.ts';
import type { Modal } from '../state/modals.ts';
import type { SlackState } from '../state/slack-state.ts';
import { acceptModal } from '../validate/accept-view.ts';

export function open(args: Arguments, slack: SlackState): Json {
  const view = newModal(args, slack);
  const person = slack.triggers.redeem(args.required('trigger_id'));
  return { view: viewObject(slack.modals.open(person, view)) };
}

export function push(args: Arguments, slack: SlackState): Json {
  const view = newModal(args, slack);
  const person = slack.triggers.redeem(args.required('trigger_id'));
  return { view: viewObject(slack.modals.push(person, view)) };
}

/** Replaces an open view; one that the person has closed is `not_found`, an outdated `hash` is `hash_conflict`. */
export function update(args: Arguments, slack: SlackState): Json {
  const view = acceptModal(args.structure('view'));
  const modal = openModal(args, slack);
  const hash = args.text('hash');
  if (hash !== undefined && hash !== modal.hash) throw new Refusal('hash_conflict');
  return { view: viewObject(slack.modals.update(modal, view)) };
}

function newModal(args: Arguments, slack: SlackState): Json {
  const view = acceptModal(args.structure('view'));
  const externalId = stringIn(view, 'external_id');
  if (externalId && slack.modals.findByExternalId(externalId)) throw new Refusal('duplicate_external_id');
  return view;
}

function openModal(args: Arguments, slack: SlackState): Modal {
  const externalId = args.text('external_id');
  const modal =
    externalId === undefined ? slack.modals.find(args.required('view_id')) : slack.modals.findByExternalId(externalId);
  if (modal === undefined) throw new Refusal('not_found');
  return modal;
}
