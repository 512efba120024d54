import { environmentNamed } from '../../domain/environment.ts';
import { fingerprintOf, needsPreview, type TriggerPlan } from '../../domain/triggers/trigger-plan.ts';
import { divider, type MessageContent } from '../blocks/blocks.ts';
import { resultView } from '../blocks/view.ts';
import type { FilledView, SubmissionInteraction } from '../interactions/interaction.ts';
import type { Submitted } from '../interactions/route.ts';
import {
  type FormHead,
  PAYLOAD,
  parseTriggerForm,
  plainHead,
  type TriggerForm,
  triggerView,
  unknownWorkflow,
} from './modal.ts';
import { previewHead, type TriggerPreview, wrongConfirmation } from './preview-modal.ts';
import { blockOf, parseTrigger } from './read-modal.ts';
import { type AnswerPlaces, explainNotSent, placesAsked, type SendParts, send } from './send.ts';

/**
 * Handles a submission. One event is sent at once; anything that needs a preview is shown first, and sent once the preview is submitted.
 */
export function take(view: FilledView, parts: SendParts): Submitted {
  const form = parseTriggerForm(view.privateMetadata);
  const read = parseTrigger(view, parts.environments);
  if (read.is === 'wrong') return { is: 'refused', errors: read.errors };
  const environment = environmentNamed(read.plan.environment, parts.environments);
  if (needsPreview(read.plan, environment)) {
    const fingerprint = fingerprintOf(read.plan, form.intent);
    return takePreviewed(view, { ...read, environment, fingerprint, isSeen: form.previewed === fingerprint }, parts);
  }
  return {
    is: 'taken',
    next: null,
    answerUrl: form.answerUrl,
    answer: (interaction) => send(read.plan, form, placesAsked(interaction), interaction, parts),
    refused: (error, interaction) => explainNotSent(error, placesAsked(interaction), parts),
  };
}

interface Asked extends Omit<TriggerPreview, 'phase'> {
  /** Whether the submitted form showed this very plan. */
  readonly isSeen: boolean;
}

function takePreviewed(view: FilledView, { isSeen, ...preview }: Asked, parts: SendParts): Submitted {
  const { plan, environment, fingerprint } = preview;
  const form = parseTriggerForm(view.privateMetadata);
  const shown = (phase: TriggerPreview['phase']) =>
    view.carried(triggerView(asFilled(view, plan, previewHead({ ...preview, phase }), parts)));
  if (!isSeen) return { is: 'taken', next: shown('shown'), answer: async () => {} };
  const errors = wrongConfirmation(view, environment, fingerprint);
  if (errors !== null) return { is: 'refused', errors };
  return {
    is: 'taken',
    next: shown('sending'),
    answerUrl: form.answerUrl,
    answer: (interaction) => send(plan, form, placesInModal(plan, interaction, parts), interaction, parts),
    refused: (error, interaction) => explainNotSent(error, placesInModal(plan, interaction, parts), parts),
  };
}

/**
 * Returns the places in the modal, which stays open: it links to the direct message or, if nothing was sent, shows the form again, so that
 * no row is lost.
 */
function placesInModal(plan: TriggerPlan, interaction: SubmissionInteraction, parts: SendParts): AnswerPlaces {
  const nothingSent = async (card: MessageContent) => {
    try {
      if ((await showAgain(plan, card, interaction, parts)) === 'shown') return;
    } catch (error) {
      parts.logger.warn({ err: error }, 'a form that was not sent could not be shown again');
    }
    await interaction.outside.show(card);
  };
  // A person who closed it has the direct message already.
  const pointer = {
    show: async (content: MessageContent) => void (await interaction.modal.update(resultView(content))),
  };
  return { pointer, nothingSent };
}

/** Shows the form with the error above it, and a new intent, because the old one is used up. */
async function showAgain(
  plan: TriggerPlan,
  { blocks }: MessageContent,
  { view, modal }: SubmissionInteraction,
  parts: SendParts,
): ReturnType<SubmissionInteraction['modal']['update']> {
  const environment = environmentNamed(plan.environment, parts.environments);
  const head = { ...plainHead(environment), blocks: [...blocks, divider()] };
  return modal.update(view.carried(triggerView({ ...asFilled(view, plan, head, parts), intent: parts.newId() })));
}

/** Returns the form as it's filled in, with another head. */
function asFilled(view: FilledView, plan: TriggerPlan, head: FormHead, { environments }: SendParts): TriggerForm {
  return {
    ...parseTriggerForm(view.privateMetadata),
    environments,
    environment: environmentNamed(plan.environment, environments),
    workflow: unknownWorkflow(plan.workflow, plan.events[0]?.payload.fields),
    payloadBlock: blockOf(PAYLOAD, view),
    head,
  };
}
