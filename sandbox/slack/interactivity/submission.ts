import { Refusal } from '../arguments.ts';
import { completeState, controlsIn } from '../block-kit/controls.ts';
import { DEFAULT_MAX_LENGTH, valueIn } from '../block-kit/fields.ts';
import { viewObject } from '../block-kit/objects.ts';
import { objectIn, objectsIn, stringIn } from '../json.ts';
import type { Json, StateValues } from '../page-protocol.ts';
import type { SeedPerson } from '../seed.ts';
import type { SlackState } from '../state.ts';
import type { View } from '../views.ts';
import { DONE, failed, notDelivered, type Outcome } from './interaction.ts';
import { basePayload } from './surfaces.ts';

type Errors = Readonly<Record<string, string>>;

export async function submitView(
  person: SeedPerson,
  viewId: string,
  typed: StateValues,
  slack: SlackState,
): Promise<Outcome> {
  const modal = slack.views.modal(viewId);
  if (modal?.person !== person.id) return failed('view_not_found', 'This window is closed already.');
  const blocks = objectsIn(modal.view, 'blocks');
  const values = completeState(blocks, typed, modal.starts);
  const incomplete = incompleteFields(blocks, values);
  if (Object.keys(incomplete).length > 0) return refuse(modal, incomplete, slack);
  const delivery = await slack.bot.deliver('interactive', {
    ...basePayload('view_submission', person, slack),
    trigger_id: slack.triggers.issue(person.id),
    view: viewObject(modal, values),
    response_urls: [],
  });
  if (!delivery.ok) return notDelivered(delivery);
  const { ackMs, response } = delivery;
  try {
    return { ...obey(modal, response, slack), ackMs };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const words = `The app's answer to this form was refused: ${error.word} ${JSON.stringify(error.details)}`;
    return failed(error.word, words, ackMs);
  }
}

function obey(modal: View, response: Json, slack: SlackState): Outcome {
  const { views, blockKit } = slack;
  switch (response.response_action) {
    case undefined:
      views.close(modal.person, modal.id);
      return DONE;
    case 'update':
      views.update(modal, blockKit.acceptView(response.view, 'modal'));
      return DONE;
    case 'errors':
      return refuse(modal, acceptErrors(modal, response), slack);
    default:
      throw new Refusal('invalid_response_action');
  }
}

function refuse(modal: View, errors: Errors, slack: SlackState): Outcome {
  slack.views.showErrors(modal, errors);
  return { ok: false, ackMs: 0, error: 'form_errors', message: Object.values(errors).join(' '), errors };
}

/** Accepts errors of input blocks by block_id. Slack shows a general failure if they name anything else. */
function acceptErrors(modal: View, response: Json): Errors {
  const inputs = objectsIn(modal.view, 'blocks').filter(({ type }) => type === 'input');
  const known = inputs.map((block) => stringIn(block, 'block_id'));
  const errors = Object.entries(objectIn(response, 'errors')).map(([id, text]) => [id, String(text)] as const);
  if (errors.length === 0 || errors.some(([id]) => !known.includes(id))) throw new Refusal('invalid_errors');
  return Object.fromEntries(errors);
}

function incompleteFields(blocks: readonly Json[], values: StateValues): Errors {
  const inputs = controlsIn(blocks).filter(({ block }) => block.type === 'input');
  const problems = inputs.map(({ blockId, actionId, block, element }) => {
    const value = valueIn(values[blockId]?.[actionId] ?? {});
    return [blockId, complaintAbout(block, element, value)] as const;
  });
  return Object.fromEntries(problems.filter(([, complaint]) => complaint !== ''));
}

function complaintAbout(block: Json, element: Json, value: unknown): string {
  const most = Number(element.max_length ?? DEFAULT_MAX_LENGTH);
  if ([value ?? ''].flat().join('') === '')
    return block.optional === true ? '' : 'Please complete this required field.';
  return typeof value === 'string' && value.length > most ? `Use at most ${most} characters.` : '';
}
