import type { Environment } from '../../domain/environment.ts';
import { environmentNamed } from '../../domain/environment.ts';
import { InputError, ServiceError } from '../../domain/errors.ts';
import type { TriggerPlan } from '../../domain/triggers/trigger-plan.ts';
import { type ProgressReporter, type RunParts, runTrigger } from '../../use-cases/triggers/run-trigger.ts';
import { type MessageContent, noted } from '../blocks/blocks.ts';
import type { SubmissionInteraction } from '../interactions/interaction.ts';
import { cardFor, type ErrorParts } from '../interactions/on-error.ts';
import type { Reply } from '../interactions/replies/reply.ts';
import type { FormIntent } from './intent-modal.ts';
import { NOTHING_SENT, pointerMessage, sentBeforeMessage, whyNothingWasSent } from './message.ts';

export interface SendParts extends ErrorParts {
  readonly environments: readonly Environment[];
  readonly serviceOf: (environment: string) => RunParts['service'];
  readonly store: RunParts['store'];
  readonly reporter: ProgressReporter;
  readonly now: () => Date;
  readonly sleep: RunParts['sleep'];
  /** Returns a new ID for intents and transactions, at most 60 characters. */
  readonly newId: () => string;
  /** Aborts when the process stops. Following a trigger ends then, and resumes after the restart. */
  readonly signal: AbortSignal;
}

/** Where a person is answered in addition to their direct messages. */
export interface AnswerPlaces {
  /** Where to link to the direct message. Null if there is no other place. */
  readonly pointer: Pick<Reply, 'show'> | null;
  /** Shows why nothing was sent. */
  readonly nothingSent: (card: MessageContent) => Promise<void>;
}

/**
 * Sends a form's request once, and shows its progress in the person's direct messages. Rejects with `ProgressNotPostedError` if it was sent
 * but they aren't open to Notif: the interaction's reply says so elsewhere.
 */
export async function send(
  plan: TriggerPlan,
  form: FormIntent,
  places: AnswerPlaces,
  interaction: SubmissionInteraction,
  parts: SendParts,
): Promise<'kept' | null> {
  const reporter = places.pointer === null ? parts.reporter : pointing(places.pointer, plan, parts);
  const command = { ...plan, intent: form.intent, channel: form.channel, actor: interaction.userId };
  try {
    const sent = await runTrigger(command, { ...runPartsOf(plan.environment, parts), reporter });
    if (sent === 'before') await interaction.outside.show(sentBeforeMessage());
    return null;
  } catch (error) {
    if (!(error instanceof ServiceError || error instanceof InputError)) throw error;
    await places.nothingSent(noted(cardFor(error, parts), whyNothingWasSent(error, plan)));
    return 'kept';
  }
}

/** Explains to a person who was refused why nothing was sent. */
export async function explainNotSent(error: unknown, { nothingSent }: AnswerPlaces, parts: SendParts): Promise<void> {
  await nothingSent(noted(cardFor(error, parts), NOTHING_SENT));
}

/** Returns the dependencies for running a trigger in an environment, with its progress shown in direct messages. */
export function runPartsOf(environment: string, parts: SendParts): RunParts {
  const { store, logger, now, sleep, signal, reporter } = parts;
  return {
    service: parts.serviceOf(environment),
    store,
    logger,
    now,
    sleep,
    signal,
    reporter,
    newTransactionId: parts.newId,
  };
}

/** Returns where to answer a person whose form has closed. */
export function placesAsked({ asked, outside }: SubmissionInteraction): AnswerPlaces {
  return { pointer: asked, nothingSent: outside.show };
}

/** Returns the reporter, extended to link to its message from where the form was requested. */
function pointing(pointer: Pick<Reply, 'show'>, plan: TriggerPlan, parts: SendParts): ProgressReporter {
  const environment = environmentNamed(plan.environment, parts.environments);
  return {
    open: async (places, progress) => {
      const opened = await parts.reporter.open(places, progress);
      await pointer.show(pointerMessage(plan, environment, progress)).catch((error: unknown) => {
        parts.logger.warn({ err: error }, 'nobody could be pointed to the progress of a trigger');
      });
      return opened;
    },
    update: parts.reporter.update,
  };
}
