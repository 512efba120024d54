import { Refusal } from '../arguments.ts';
import { viewObject } from '../block-kit/objects.ts';
import type { Acknowledged } from '../delivery.ts';
import { objectIn, objectsIn, stringIn } from '../json.ts';
import type { Json, StateValues, Tab } from '../page-protocol.ts';
import type { SeedPerson } from '../seed.ts';
import type { SlackState } from '../state/slack-state.ts';
import type { Modal } from '../state/views.ts';
import { acceptView } from '../validate/accept.ts';
import { failed, type Interaction, notTold } from './interaction.ts';
import { common, completeState, incompleteFields } from './surfaces.ts';

/** Closes a view by its button for a person, and also those above it. */
export function closeView(person: SeedPerson, viewId: string, slack: SlackState): Interaction {
  const modal = ownModal(viewId, person, slack);
  if (modal === undefined) return failed('view_not_found', 'This window is closed already.');
  slack.modals.close(modal);
  return { ok: true, ackMs: 0 };
}

export function closeAllViews(person: SeedPerson, slack: SlackState): Interaction {
  slack.modals.clear(person.id);
  return { ok: true, ackMs: 0 };
}

function ownModal(viewId: string, person: SeedPerson, slack: SlackState): Modal | undefined {
  const modal = slack.modals.find(viewId);
  return modal?.person === person.id ? modal : undefined;
}

/** Submits a view for a person. The bot's acknowledgment decides what happens to the view. */
export async function submitView(
  person: SeedPerson,
  { viewId, typed }: { viewId: string; typed: StateValues },
  slack: SlackState,
): Promise<Interaction> {
  const modal = ownModal(viewId, person, slack);
  if (modal === undefined) return failed('view_not_found', 'This window is closed already.');
  const blocks = objectsIn(modal.view, 'blocks');
  const values = completeState(blocks, typed, modal.starts);
  const incomplete = incompleteFields(blocks, values);
  if (Object.keys(incomplete).length > 0) return refused(modal, incomplete, 0, slack);
  const delivery = await slack.bot.deliver('interactive', {
    ...common('view_submission', person, slack),
    trigger_id: slack.triggers.issue(person.id),
    view: viewObject(modal, values),
    response_urls: [],
  });
  return delivery.ok ? obey(modal, delivery, slack) : notTold(delivery);
}

function obey(modal: Modal, delivery: Acknowledged, slack: SlackState): Interaction {
  try {
    return carryOut(modal, delivery, slack);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const details = JSON.stringify(error.details);
    return failed(error.word, `The app's answer to this form was refused: ${error.word} ${details}`, delivery.ackMs);
  }
}

function carryOut(modal: Modal, { response, ackMs }: Acknowledged, slack: SlackState): Interaction {
  switch (response.response_action) {
    case undefined:
      slack.modals.close(modal);
      break;
    case 'clear':
      slack.modals.clear(modal.person);
      break;
    case 'update':
      slack.modals.update(modal, acceptView(response.view, 'modal', slack.blockKit));
      break;
    case 'push':
      slack.modals.push(modal.person, acceptView(response.view, 'modal', slack.blockKit));
      break;
    case 'errors':
      return refused(modal, acceptErrors(modal, response), ackMs, slack);
    default:
      throw new Refusal('invalid_response_action');
  }
  return { ok: true, ackMs };
}

function refused(
  modal: Modal,
  errors: Readonly<Record<string, string>>,
  ackMs: number,
  slack: SlackState,
): Interaction {
  slack.modals.showErrors(modal, errors);
  const message = Object.values(errors).join(' ');
  return { ok: false, ackMs, error: 'form_errors', message, errors };
}

/** Accepts errors of input blocks by block_id. Slack shows a general failure if they name anything else. */
function acceptErrors(modal: Modal, response: Json): Readonly<Record<string, string>> {
  const inputs = objectsIn(modal.view, 'blocks').filter((block) => block.type === 'input');
  const known = inputs.map((block) => stringIn(block, 'block_id'));
  const errors = Object.entries(objectIn(response, 'errors')).map(([id, text]) => [id, String(text)] as const);
  if (errors.length === 0 || errors.some(([id]) => !known.includes(id))) throw new Refusal('invalid_errors');
  return Object.fromEntries(errors);
}

/** Opens a tab of the conversation with the bot for a person. The event has the Home tab's contents, once the bot has published some. */
export async function openTab(person: SeedPerson, tab: Tab, slack: SlackState): Promise<Interaction> {
  const { home_tab_enabled: hasHome } = slack.manifest.features.app_home;
  if (tab === 'home' && !hasHome) return failed('not_enabled', 'This app has no Home tab.');
  const channel = slack.conversations.find(person.id)?.id;
  const home = slack.homes.of(person.id);
  await slack.events.tell({
    ...{ type: 'app_home_opened', user: person.id, channel, tab, event_ts: slack.nextTs() },
    ...(tab === 'home' && home !== undefined ? { view: viewObject(home) } : {}),
  });
  return { ok: true, ackMs: 0 };
}
