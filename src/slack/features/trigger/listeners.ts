import type { ModalView } from '@slack/types';
import { deliveriesOf, type JudgedEvent } from '../../../failures/judge.ts';
import { type Environment, environmentNamed } from '../../../lib/environment.ts';
import { eventGone } from '../../../lib/errors.ts';
import { lookUpEvent } from '../../../lookups/event.ts';
import type { TriggerProgress } from '../../../triggers/follow.ts';
import {
  type FilledTrigger,
  lineFor,
  needsPreview,
  originalOf,
  planTrigger,
  type TriggerPlan,
  withOriginals,
} from '../../../triggers/plan.ts';
import { runTrigger, showTrigger } from '../../../triggers/send.ts';
import { suggestWorkflows, workflowNamed } from '../../../triggers/workflows.ts';
import type { SlackCtx } from '../../ctx.ts';
import { divider, type MessageBlock, noted, section } from '../../kit/blocks.ts';
import { parseValue } from '../../kit/button-value.ts';
import { type LookupRequest, OPEN_TRIGGER, parseLookup, SEND_AGAIN } from '../../kit/buttons.ts';
import { ENVIRONMENT, parseEnvironmentInput } from '../../kit/inputs.ts';
import { resultView } from '../../kit/view.ts';
import type { Command, Flow } from '../../router/command.ts';
import { inModal, showOutcome } from '../../router/in-modal.ts';
import type {
  ActionInteraction,
  FilledView,
  Interaction,
  OptionsQuery,
  SubmissionInteraction,
} from '../../router/interaction.ts';
import { cardFor } from '../../router/on-error.ts';
import { actionRoute, type Route, routesFor, type Submitted } from '../../router/route.ts';
import {
  blockOf,
  confirmationErrors,
  fingerprintOf,
  type KeptForm,
  maskedText,
  ownPayload,
  PAYLOAD,
  parseKept,
  parseTrigger,
  previewBlocks,
  TRIGGER,
  type TriggerForm,
  titleOf,
  triggerView,
  WORKFLOW,
  workflowOptions,
} from './form.ts';
import {
  ALL_ROWS,
  againBlocks,
  FOLLOW_IN_DMS,
  notPosted,
  progressMessage,
  rowsMessage,
  SENT_BEFORE,
  sendingLine,
  TEST_EXPIRED,
  whyNothingWasSent,
} from './message.ts';

export function triggerFlow(ctx: SlackCtx): Flow {
  const trigger: Command = {
    word: 'trigger',
    usage: '[workflow]',
    about: 'send a test to subscribers and see how it goes',
    examples: ['', 'order-shipped'],
    for: 'operators',
    filters: ['env'],
    answer: ({ words, environment }, interaction) => openForm(ctx, interaction, environment, words.join(' ')),
  };
  return { commands: [trigger], routes: routesOf(ctx) };
}

function routesOf(ctx: SlackCtx): Route[] {
  const { environments, store } = ctx;
  const open = (interaction: Interaction) => openForm(ctx, interaction, environmentNamed(undefined, environments), '');
  const offered = async ({ typed, blockId }: OptionsQuery) =>
    workflowOptions(suggestWorkflows(await store.polling.workflows(blockId.slice(WORKFLOW.length + 1)), typed), typed);
  return [
    ...routesFor('operators', [
      { surface: 'shortcut', callbackId: 'send_test_notification', type: 'global', answer: open },
      { surface: 'action', id: OPEN_TRIGGER, answer: open },
      actionRoute(SEND_AGAIN, parseLookup, (request, interaction) => openAgain(ctx, request, interaction)),
      { surface: 'options', id: WORKFLOW, answer: offered },
      { surface: 'action', id: ENVIRONMENT, answer: (interaction) => redrawForm(ctx, interaction, null) },
      { surface: 'action', id: WORKFLOW, answer: (interaction) => redrawForm(ctx, interaction, interaction.value) },
      { surface: 'view', callbackId: TRIGGER, take: (view) => take(ctx, view) },
    ]),
    ...routesFor('members', [
      actionRoute(
        ALL_ROWS,
        (value) => parseValue(value)?.[0] ?? null,
        (intent, interaction) => inModal(ctx, interaction, 'All rows', () => rowsView(ctx, intent)),
      ),
    ]),
  ];
}

async function openForm(ctx: SlackCtx, interaction: Interaction, environment: Environment, named: string) {
  const { environments } = ctx;
  const workflow = await workflowMeant(ctx, named, environment);
  const kept = { ...intentOf(ctx, interaction), again: null };
  await interaction.openModal(triggerView({ kept, environments, environment, workflow }));
}

async function openAgain(ctx: SlackCtx, request: LookupRequest, interaction: ActionInteraction) {
  const intent = intentOf(ctx, interaction);
  const form = async () => {
    const { environments } = ctx;
    const environment = environmentNamed(request.environment, environments);
    const { event, judgement } = await readAgain(ctx, request);
    const { workflow: identifier, subscriberId, payload, advanced } = originalOf(event, request.environment);
    const texts = { payload: maskedText(payload), advanced: maskedText(advanced) };
    const isTooLong = texts.payload === null;
    return triggerView({
      kept: { ...intent, again: { ...request, isTooLong } },
      environments,
      environment,
      workflow: { identifier, name: event.workflow?.name ?? identifier, variables: [] },
      initial: { subscribers: lineFor(subscriberId), payload: texts.payload ?? '', advanced: texts.advanced ?? '' },
      above: againBlocks({ workflow: identifier, subscriberId, environment }, deliveriesOf(event, judgement), texts),
    });
  };
  await inModal(ctx, interaction, 'Send again', form);
}

function intentOf({ newId }: SlackCtx, { answerUrl, channelId: channel }: Interaction) {
  return { intent: newId(), answerUrl, channel };
}

/** Null if none was named, or several have that name: the person chooses in the form. */
async function workflowMeant({ store }: SlackCtx, named: string, { name }: Environment) {
  if (named === '') return null;
  const found = workflowNamed(await store.polling.workflows(name), named);
  return found === 'several' ? null : (found ?? { identifier: named, name: named, variables: [] });
}

/** Another environment has other workflows, and another workflow another template. A payload that the person typed stays. */
async function redrawForm(ctx: SlackCtx, { modal }: ActionInteraction, chosen: string | null): Promise<void> {
  if (modal === null) return;
  const { environments } = ctx;
  const kept = parseKept(modal.privateMetadata);
  const environment = environmentNamed(parseEnvironmentInput(modal.valueIn, environments), environments);
  const workflow = await workflowMeant(ctx, chosen ?? modal.valueIn(blockOf(WORKFLOW, modal)) ?? '', environment);
  const payloadBlock = ownPayload(modal, kept);
  await modal.update(modal.carried(triggerView({ kept, environments, environment, workflow, payloadBlock })));
}

async function rowsView(ctx: SlackCtx, intent: string): Promise<ModalView> {
  const shown = await showTrigger(ctx, intent);
  const environment = environmentNamed(shown?.intent.environment, ctx.environments);
  return resultView(shown === null ? TEST_EXPIRED : rowsMessage(shown, environment), 'All rows');
}

/**
 * What needs a preview is shown first, and sent once the preview is submitted. The modal stays open until it is known
 * what the service answers: if nothing was sent, it shows the form again, so that nothing typed is lost.
 */
function take(ctx: SlackCtx, view: FilledView): Submitted {
  const kept = parseKept(view.privateMetadata);
  const parsed = parseTrigger(view, kept, ctx.environments);
  if ('errors' in parsed) return { is: 'refused', errors: parsed.errors };
  const { filled, plan } = parsed;
  const environment = environmentNamed(plan.environment, ctx.environments);
  const workflow = { identifier: plan.workflow, name: plan.workflow, variables: [] };
  const form = { kept, environments: ctx.environments, environment, workflow, payloadBlock: blockOf(PAYLOAD, view) };
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
    const card = noted(cardFor(ctx, error), whyNothingWasSent(error, plan));
    const again = drawn([...card.blocks, divider()], { kept: { ...kept, intent: ctx.newId() } });
    return showOutcome(again, card, interaction, ctx.logger);
  };
  return {
    is: 'taken',
    next: drawn([section(sendingLine(plan, environment))]),
    answerUrl: kept.answerUrl,
    answer: async (interaction) => {
      try {
        await send(ctx, await planOf(ctx, filled, kept), kept, interaction);
      } catch (error) {
        await notSent(error, interaction);
      }
    },
    refused: notSent,
  };
}

/** With the originals of what was left masked. Nothing of an event is stored, so it's read again. */
async function planOf(ctx: SlackCtx, filled: FilledTrigger, { again }: KeptForm): Promise<TriggerPlan> {
  if (again === null) return planTrigger(filled);
  const original = originalOf((await readAgain(ctx, again)).event, again.environment);
  return planTrigger(withOriginals(filled, original, (whole) => maskedText(whole) === null));
}

/** Throws `InputError` if the service no longer has the event. */
async function readAgain(ctx: SlackCtx, { environment: name, target }: LookupRequest): Promise<JudgedEvent> {
  const environment = environmentNamed(name, ctx.environments);
  const found = await lookUpEvent({ ...ctx, environment, service: ctx.serviceOf(name) }, target);
  if (found.found !== 'event') throw eventGone();
  return found;
}

/** If the person's direct messages aren't open to Notif, the modal says what is known. Rejects if nothing was sent for sure. */
async function send(ctx: SlackCtx, plan: TriggerPlan, kept: KeptForm, interaction: SubmissionInteraction) {
  const environment = environmentNamed(plan.environment, ctx.environments);
  const { intent, channel } = kept;
  // A person who closed the modal has the direct message already.
  const onPosted = (progress: TriggerProgress) =>
    neverFailing(ctx, async () => {
      const shown = noted(progressMessage(progress, environment), FOLLOW_IN_DMS);
      await interaction.modal.update(resultView(shown, titleOf(kept)));
    });
  const sent = await runTrigger(ctx, { ...plan, intent, channel, actor: interaction.userId }, onPosted);
  if (sent === 'reported') return;
  if (sent === 'before') return neverFailing(ctx, () => interaction.outside.show(SENT_BEFORE));
  const reference = ctx.newReference();
  ctx.logger.error({ reference, err: sent.error }, 'the progress of a trigger could not be posted');
  await neverFailing(ctx, () => interaction.reply.show(notPosted(sent.progress, environment, reference)));
}

/** To reject is to say that nothing was sent. */
async function neverFailing({ logger }: SlackCtx, show: () => Promise<unknown>): Promise<void> {
  try {
    await show();
  } catch (error) {
    logger.error({ err: error }, "what is known of a trigger couldn't be shown to a person");
  }
}
