import type { ExplainCause } from '../../domain/causes/explain-cause.ts';
import { environmentNamed } from '../../domain/environment.ts';
import { eventGone } from '../../domain/errors.ts';
import type { JudgedEvent } from '../../domain/failures/judge.ts';
import { originalOf, withOriginals } from '../../domain/triggers/again.ts';
import { type FilledTrigger, needsPreview, planTrigger, type TriggerPlan } from '../../domain/triggers/trigger-plan.ts';
import { type EventLookup, lookUpEvent } from '../../use-cases/lookups/look-up-event.ts';
import { type RunParts, runTrigger } from '../../use-cases/triggers/run-trigger.ts';
import { divider, type MessageBlock, noted, section } from '../blocks/blocks.ts';
import { resultView } from '../blocks/view.ts';
import { showOutcome } from '../interactions/form-intent.ts';
import type { FilledView, SubmissionInteraction } from '../interactions/interaction.ts';
import { cardFor, type ErrorParts } from '../interactions/on-error.ts';
import type { Submitted } from '../interactions/route.ts';
import {
  blockOf,
  fingerprintOf,
  type KeptForm,
  maskedText,
  PAYLOAD,
  parseKept,
  parseTrigger,
  type TriggerForm,
  titleOf,
  triggerView,
} from './form.ts';
import { FOLLOW_IN_DMS, notPosted, progressMessage, SENT_BEFORE, sendingLine, whyNothingWasSent } from './message.ts';
import { confirmationErrors, previewBlocks } from './preview.ts';

export interface SendParts extends ErrorParts, Pick<RunParts, 'store' | 'reporter' | 'now' | 'sleep'> {
  readonly serviceOf: (environment: string) => RunParts['service'] & EventLookup;
  readonly explainCause: ExplainCause;
  /** At most 60 characters, for intents and transactions. */
  readonly newId: () => string;
  /** Aborts when the process stops. Following a trigger ends then, and resumes after the restart. */
  readonly signal: AbortSignal;
}

/**
 * What needs a preview is shown first, and sent once the preview is submitted. The modal stays open until it is known
 * what the service answers: if nothing was sent, it shows the form again, so that nothing typed is lost.
 */
export function take(view: FilledView, parts: SendParts): Submitted {
  const kept = parseKept(view.privateMetadata);
  const parsed = parseTrigger(view, kept, parts.environments);
  if ('errors' in parsed) return { is: 'refused', errors: parsed.errors };
  const { filled, plan } = parsed;
  const environment = environmentNamed(plan.environment, parts.environments);
  const workflow = { identifier: plan.workflow, name: plan.workflow, variables: [] };
  const form = { kept, environments: parts.environments, environment, workflow, payloadBlock: blockOf(PAYLOAD, view) };
  /** Its selects keep their choices. */
  const drawn = (above: readonly MessageBlock[], change: Partial<TriggerForm> = {}) =>
    view.carried(triggerView({ ...form, above, ...change }));
  if (needsPreview(plan, environment)) {
    const confirmBlock = `trigger.confirm:${fingerprintOf(view, kept)}`;
    if (!view.blockIds.includes(confirmBlock)) {
      const above = previewBlocks({ filled, plan, environment, confirmBlock, again: kept.again });
      const next = drawn(above, { submit: `Send ${plan.events.length}` });
      return { is: 'taken', next, answer: async () => {} };
    }
    const errors = confirmationErrors(view, environment, confirmBlock);
    if (Object.keys(errors).length > 0) return { is: 'refused', errors };
  }
  const notSent = (error: unknown, interaction: SubmissionInteraction) => {
    const card = noted(cardFor(error, parts), whyNothingWasSent(error, plan));
    const again = drawn([...card.blocks, divider()], { kept: { ...kept, intent: parts.newId() } });
    return showOutcome(again, card, interaction, parts.logger);
  };
  return {
    is: 'taken',
    next: drawn([section(sendingLine(plan, environment))]),
    answerUrl: kept.answerUrl,
    answer: async (interaction) => {
      try {
        await send(await planOf(filled, kept, parts), kept, interaction, parts);
      } catch (error) {
        await notSent(error, interaction);
      }
    },
    refused: notSent,
  };
}

/** With the originals of what was left masked. Nothing of an event is stored, so it's read again. */
async function planOf(filled: FilledTrigger, { again }: KeptForm, parts: SendParts): Promise<TriggerPlan> {
  if (again === null) return planTrigger(filled);
  const original = originalOf((await readAgain(again, parts)).event, again.environment);
  return planTrigger(withOriginals(filled, original, (whole) => maskedText(whole) === null));
}

/** Throws `InputError` if the service no longer has the event. */
export async function readAgain(
  { environment: name, target }: Pick<NonNullable<KeptForm['again']>, 'environment' | 'target'>,
  parts: Pick<SendParts, 'environments' | 'serviceOf' | 'explainCause' | 'now'>,
): Promise<JudgedEvent> {
  const environment = environmentNamed(name, parts.environments);
  const found = await lookUpEvent(target, { ...parts, environment, service: parts.serviceOf(name) });
  if (found.found !== 'event') throw eventGone();
  return found;
}

/**
 * If the person's direct messages aren't open to Notif, the modal says what is known. Rejects if nothing was sent for
 * sure.
 */
async function send(
  plan: TriggerPlan,
  kept: KeptForm,
  interaction: SubmissionInteraction,
  parts: SendParts,
): Promise<void> {
  const environment = environmentNamed(plan.environment, parts.environments);
  const reporter: RunParts['reporter'] = {
    ...parts.reporter,
    open: async (run, progress) => {
      const opened = await parts.reporter.open(run, progress);
      if (opened === null) return null;
      // A person who closed the modal has the direct message already.
      await neverFailing(async () => {
        const shown = noted(progressMessage(run, progress, environment), FOLLOW_IN_DMS);
        await interaction.modal.update(resultView(shown, titleOf(kept)));
      }, parts);
      return opened;
    },
  };
  const { intent, channel } = kept;
  const command = { ...plan, intent, channel, actor: interaction.userId };
  const sent = await runTrigger(command, { ...runPartsOf(plan.environment, parts), reporter });
  if (sent === 'reported') return;
  if (sent === 'before') return neverFailing(() => interaction.outside.show(SENT_BEFORE), parts);
  const reference = parts.newReference();
  parts.logger.error({ reference, err: sent.error }, 'the progress of a trigger could not be posted');
  await neverFailing(() => interaction.reply.show(notPosted(sent, environment, reference)), parts);
}

/** To reject is to say that nothing was sent. */
async function neverFailing(show: () => Promise<void>, { logger }: SendParts): Promise<void> {
  try {
    await show();
  } catch (error) {
    logger.error({ err: error }, "what is known of a trigger couldn't be shown to a person");
  }
}

export function runPartsOf(environment: string, parts: SendParts): RunParts {
  return { ...parts, service: parts.serviceOf(environment), newTransactionId: parts.newId };
}
