import { type Environment, environmentNamed } from '../../domain/environment.ts';
import { NotOperatorError, ServiceError } from '../../domain/errors.ts';
import type { Operators } from '../../domain/operators.ts';
import { type GroupMembers, requireOperator } from '../../use-cases/require-operator.ts';
import { type ProgressReporter, type RunParts, runTrigger } from '../../use-cases/run-trigger.ts';
import type { TriggerCommand } from '../../use-cases/trigger-events.ts';
import { noted } from '../blocks/blocks.ts';
import type { SubmissionGesture } from '../doors/gesture.ts';
import type { Reply } from '../doors/reply.ts';
import { cardFor, type ErrorParts } from '../on-error.ts';
import type { FormIntent } from './intent-modal.ts';
import { NOTHING_SENT, pointerMessage, sentBeforeMessage } from './message.ts';

export interface SendParts extends ErrorParts {
  readonly environments: readonly Environment[];
  readonly operators: Operators;
  readonly groups: GroupMembers;
  readonly serviceOf: (environment: string) => RunParts['service'];
  readonly store: RunParts['store'];
  readonly reporter: ProgressReporter;
  readonly now: () => Date;
  readonly sleep: RunParts['sleep'];
  /** A new id for intents and transactions; at most 60 characters. */
  readonly newId: () => string;
  /** Aborts when the process stops: the following ends then, and is taken up again after the restart. */
  readonly signal: AbortSignal;
}

/**
 * Sends what a form asked for, once, and tells how it goes in the person's direct messages. Where the form was asked for says so,
 * or why nothing was sent.
 */
export async function send(
  wanted: Omit<TriggerCommand, 'intent' | 'actor'>,
  { intent, answerUrl }: FormIntent,
  gesture: SubmissionGesture,
  parts: SendParts,
): Promise<void> {
  const here = answerUrl === null ? gesture.reply : gesture.replyAt(answerUrl);
  const reporter = answerUrl === null ? parts.reporter : pointing(here, wanted, parts);
  try {
    await requireOperator(gesture.userId, parts.operators, parts.groups);
    const command = { ...wanted, intent, actor: gesture.userId };
    const sent = await runTrigger(command, { ...runPartsOf(wanted.environment, parts), reporter });
    if (sent === 'before') await show(here, gesture.reply, sentBeforeMessage(), parts);
  } catch (error) {
    if (!(error instanceof ServiceError || error instanceof NotOperatorError)) throw error;
    await show(here, gesture.reply, noted(cardFor(error, parts), NOTHING_SENT), parts);
  }
}

/** What running a trigger in an environment takes, with its progress told in direct messages. */
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

/** The reporter, which also points to its message from where the form was asked for. */
function pointing(here: Reply, wanted: Omit<TriggerCommand, 'intent' | 'actor'>, parts: SendParts): ProgressReporter {
  const environment = environmentNamed(wanted.environment, parts.environments);
  return {
    open: async (told, progress) => {
      const opened = await parts.reporter.open(told, progress);
      await here
        .show(pointerMessage(wanted.workflow, wanted.subscriberIds.length, environment))
        .catch((error: unknown) => {
          parts.logger.warn({ err: error }, 'the channel of a trigger could not be pointed to its progress');
        });
      return opened;
    },
    update: parts.reporter.update,
  };
}

/** Where the form was asked for or, when half an hour has passed since, in the person's direct messages. */
async function show(
  here: Reply,
  direct: Reply,
  content: Parameters<Reply['show']>[0],
  { logger }: SendParts,
): Promise<void> {
  try {
    await here.show(content);
  } catch (error) {
    logger.warn({ err: error }, 'the answer to a form could not be given where it was asked for');
    await direct.show(content);
  }
}
