import type { ExplainCause } from '../../domain/causes/explain-cause.ts';
import { environmentNamed } from '../../domain/environment.ts';
import { eventGone, InputError } from '../../domain/errors.ts';
import type { JudgedEvent } from '../../domain/failures/judge.ts';
import { deliveriesOf } from '../../domain/failures/successes.ts';
import type { TriggerPlan } from '../../domain/triggers/trigger-plan.ts';
import { type EventLookup, lookUpEvent } from '../../use-cases/lookups/look-up-event.ts';
import { type LookupRequest, parseLookup, SEND_AGAIN } from '../blocks/buttons/lookup-button.ts';
import { confirmErrors } from '../blocks/inputs/typed-confirm-input.ts';
import { inModal } from '../interactions/in-modal.ts';
import type { ActionInteraction, SubmissionInteraction } from '../interactions/interaction.ts';
import { actionRoute, type Route, routesFor } from '../interactions/route.ts';
import type { FormIntent } from './intent-modal.ts';
import { explainNotSent, placesAsked, type SendParts, send } from './send.ts';
import {
  type Edits,
  parseEdits,
  parseSendAgainForm,
  repeated,
  SEND_AGAIN_FORM,
  SEND_AGAIN_TITLE,
  type SendAgainForm,
  sendAgainView,
  whyNotAgain,
} from './send-again-modal.ts';

export interface SendAgainParts extends SendParts {
  readonly explainCause: ExplainCause;
  readonly serviceOf: (environment: string) => ReturnType<SendParts['serviceOf']> & EventLookup;
}

/** The routes for [Send again] on an event's card, and for its form. */
export function sendAgainRoutes(parts: SendAgainParts): Route[] {
  return routesFor('operators', [
    actionRoute(SEND_AGAIN, parseLookup, (request, interaction) => openForm(request, interaction, parts)),
    {
      surface: 'view',
      callbackId: SEND_AGAIN_FORM,
      take: (view) => {
        const form = parseSendAgainForm(view.privateMetadata);
        const unconfirmed = confirmErrors(environmentNamed(form.request.environment, parts.environments), view.valueIn);
        const read = parseEdits(view);
        if ('errors' in read) return { is: 'refused', errors: { ...read.errors, ...unconfirmed } };
        if (Object.keys(unconfirmed).length > 0) return { is: 'refused', errors: unconfirmed };
        return {
          is: 'taken',
          next: null,
          answerUrl: form.answerUrl,
          answer: (interaction) => sendAgain(form, read.edits, interaction, parts),
          refused: (error, interaction) => explainNotSent(error, placesAsked(interaction), parts),
        };
      },
    },
  ]);
}

async function openForm(request: LookupRequest, interaction: ActionInteraction, parts: SendAgainParts): Promise<void> {
  const intent = { intent: parts.newId(), answerUrl: interaction.answerUrl, channel: interaction.channelId };
  await inModal(
    interaction,
    SEND_AGAIN_TITLE,
    async () => sendAgainView(await formOf({ ...intent, request }, parts)),
    parts,
  );
}

async function formOf(
  kept: FormIntent & { readonly request: LookupRequest },
  parts: SendAgainParts,
): Promise<SendAgainForm> {
  const environment = environmentNamed(kept.request.environment, parts.environments);
  const { event, judgement } = await repeatable(kept.request, parts);
  return { ...kept, environment, event, delivered: deliveriesOf(event, judgement) };
}

/** Loads the event again, because its payload isn't stored. Throws `InputError` for one that can't be sent again. */
async function repeatable({ environment: name, target }: LookupRequest, parts: SendAgainParts): Promise<JudgedEvent> {
  const environment = environmentNamed(name, parts.environments);
  const found = await lookUpEvent(target, { ...parts, environment, service: parts.serviceOf(environment.name) });
  if (found.found !== 'event') throw eventGone();
  const whyNot = whyNotAgain(found.event);
  if (whyNot !== null)
    throw new InputError('event', `This can't be sent again. ${whyNot}`, null, 'Send a new test: /notif trigger.');
  return found;
}

async function sendAgain(
  form: FormIntent & { readonly request: LookupRequest },
  edits: Edits,
  interaction: SubmissionInteraction,
  parts: SendAgainParts,
): Promise<void> {
  const places = placesAsked(interaction);
  const plan = await planOf(form.request, edits, parts).catch(async (error: unknown) => {
    await explainNotSent(error, places, parts);
    return null;
  });
  if (plan !== null) await send(plan, form, places, interaction, parts);
}

async function planOf(request: LookupRequest, edits: Edits, parts: SendAgainParts): Promise<TriggerPlan> {
  const { event } = await repeatable(request, parts);
  return { environment: request.environment, ...repeated(event, edits) };
}
