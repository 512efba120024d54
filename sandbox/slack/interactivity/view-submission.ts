import { viewObject } from '../block-kit/view-object.ts';
import type { Acknowledged } from '../delivery.ts';
import { objectIn, objectsIn, stringIn } from '../json.ts';
import type { Json, StateValues } from '../page-protocol.ts';
import { Refusal } from '../refusal.ts';
import type { SeedPerson } from '../seed.ts';
import type { Modal } from '../state/modals.ts';
import type { SlackState } from '../state/slack-state.ts';
import { acceptView } from '../validate/accept.ts';
import { ownModal } from './closing-views.ts';
import { completeState, incompleteFields } from './form-state.ts';
import { failed, type Interaction } from './interaction.ts';
import { common } from './payloads.ts';
import { notTold } from './tell.ts';

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
