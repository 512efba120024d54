import { environmentNamed } from '../../domain/environment.ts';
import { InputError, ServiceError } from '../../domain/errors.ts';
import type { TriggerPlan } from '../../domain/triggers/trigger-plan.ts';
import {
  ProgressNotPostedError,
  type ProgressReporter,
  type RunParts,
  runTrigger,
} from '../../use-cases/triggers/run-trigger.ts';
import { type MessageContent, noted } from '../blocks/blocks.ts';
import { errorCard } from '../blocks/words/error-card.ts';
import type { SubmissionInteraction } from '../interactions/interaction.ts';
import { cardFor, type ErrorParts } from '../interactions/on-error.ts';
import type { Reply } from '../interactions/replies/reply.ts';
import type { FormIntent } from './intent-modal.ts';
import { NOTHING_SENT, SENT_BEFORE, whyNothingWasSent } from './message.ts';
import { notPostedExplanation, pointerMessage } from './pointer-message.ts';

export interface SendParts extends ErrorParts, Pick<RunParts, 'store' | 'reporter' | 'now' | 'sleep'> {
  readonly serviceOf: (environment: string) => RunParts['service'];
  /** Returns a new ID for intents and transactions, at most 60 characters. */
  readonly newId: () => string;
  /** Aborts when the process stops. Following a trigger ends then, and resumes after the restart. */
  readonly signal: AbortSignal;
}

export interface AnswerPlaces {
  /** Where to link to the direct message. Null if there is no other place. */
  readonly pointer: Pick<Reply, 'show'> | null;
  readonly nothingSent: (card: MessageContent) => Promise<void>;
}

/**
 * Sends a form's request once, and shows its progress in the person's direct messages. If those aren't open to Notif, the interaction's reply
 * says what is known of it elsewhere.
 */
export async function send(
  plan: TriggerPlan,
  form: FormIntent,
  places: AnswerPlaces,
  interaction: SubmissionInteraction,
  parts: SendParts,
): Promise<void> {
  const reporter = pointing(places.pointer, plan, parts);
  const command = { ...plan, intent: form.intent, channel: form.channel, actor: interaction.userId };
  try {
    const sent = await runTrigger(command, { ...runPartsOf(plan.environment, parts), reporter });
    if (sent === 'before') await showSent(interaction.outside, SENT_BEFORE, parts);
  } catch (error) {
    if (error instanceof ProgressNotPostedError) {
      return showSent(interaction.reply, notPosted(error, plan, parts), parts);
    }
    if (!(error instanceof ServiceError || error instanceof InputError)) throw error;
    await places.nothingSent(noted(cardFor(error, parts), whyNothingWasSent(error, plan)));
  }
}

/** Never rejects: to reject is to say that nothing was sent. */
async function showSent(place: Pick<Reply, 'show'>, content: MessageContent, { logger }: SendParts): Promise<void> {
  try {
    await place.show(content);
  } catch (error) {
    logger.error({ err: error }, "what is known of a trigger couldn't be shown to a person");
  }
}

/** Says what is known of a test whose progress isn't posted, so that nobody sends it again without knowing. */
function notPosted(error: ProgressNotPostedError, plan: TriggerPlan, parts: SendParts): MessageContent {
  const reference = parts.newReference();
  parts.logger.error({ reference, err: error }, 'the progress of a trigger could not be posted');
  const environment = environmentNamed(plan.environment, parts.environments);
  return errorCard(notPostedExplanation(error, environment), reference);
}

export async function explainNotSent(error: unknown, { nothingSent }: AnswerPlaces, parts: SendParts): Promise<void> {
  await nothingSent(noted(cardFor(error, parts), NOTHING_SENT));
}

/** Returns the dependencies for running a trigger in an environment, with its progress shown in direct messages. */
export function runPartsOf(environment: string, parts: SendParts): RunParts {
  return { ...parts, service: parts.serviceOf(environment), newTransactionId: parts.newId };
}

/** Returns where to answer a person whose form has closed. */
export function placesAsked({ asked, outside }: SubmissionInteraction): AnswerPlaces {
  return { pointer: asked, nothingSent: outside.show };
}

/** Returns the reporter, extended to link to its message from where the form was requested. */
function pointing(
  pointer: AnswerPlaces['pointer'],
  { environment: name, workflow }: TriggerPlan,
  parts: SendParts,
): ProgressReporter {
  const environment = environmentNamed(name, parts.environments);
  return {
    open: async (run, progress) => {
      const opened = await parts.reporter.open(run, progress);
      await pointer?.show(pointerMessage(progress, workflow, environment)).catch((error: unknown) => {
        parts.logger.warn({ err: error }, 'nobody could be pointed to the progress of a trigger');
      });
      return opened;
    },
    update: parts.reporter.update,
  };
}
