import { workflowsIn } from '../../../changes/workflows.ts';
import { deliveriesOf } from '../../../judging/judge.ts';
import { environmentNamed } from '../../../lib/environment.ts';
import { readEvent } from '../../../lookups/event.ts';
import { originalOf } from '../../../sendings/original.ts';
import { suggestWorkflows, workflowNamed } from '../../../sendings/plan.ts';
import { refuseIfSentAgain } from '../../../sendings/sent-again.ts';
import { lineFor } from '../../../sendings/typed-recipients.ts';
import { isSettled } from '../../../service/event.ts';
import type { SlackCtx } from '../../ctx.ts';
import { context, section } from '../../kit/blocks.ts';
import { type LookupRequest, parseLookup, writeLookup } from '../../kit/button-values.ts';
import { SEND_AGAIN } from '../../kit/buttons.ts';
import { chosenEnvironment } from '../../kit/filled-form.ts';
import { inModal, intentOf } from '../../kit/in-modal.ts';
import { ENVIRONMENT } from '../../kit/inputs.ts';
import type { ActionInteraction, Interaction } from '../../kit/interaction.ts';
import { channelVia } from '../../kit/names.ts';
import { badge, code, listed, mrkdwn } from '../../kit/text.ts';
import { keptIn } from '../../kit/views.ts';
import type { Command, CommandLine, Flow } from '../../router/command.ts';
import { actionRoute, routesFor } from '../../router/route.ts';
import {
  blockOf,
  blockToKeep,
  fieldsAsDrawn,
  KeptForm,
  maskedText,
  TRIGGER,
  triggerView,
  WORKFLOW,
  workflowOptions,
} from './form.ts';
import { takeTrigger } from './submit.ts';

export function triggerFlow(ctx: SlackCtx): Flow {
  const trigger: Command = {
    word: 'trigger',
    purpose: 'change',
    usage: '[workflow]',
    about: 'send a test to subscribers and see how it goes',
    examples: ['', 'order-shipped'],
    for: 'operators',
    filters: ['subscriber', 'env'],
    follows: 'argument',
    answer: (line, interaction) => openForm(ctx, line, interaction),
  };
  const routes = routesFor('operators', [
    {
      surface: 'shortcut',
      id: 'send_test_notification',
      type: 'global',
      answer: (interaction) => {
        const environment = environmentNamed(undefined, ctx.environments);
        return openForm(ctx, { words: [], filters: {}, environment }, interaction);
      },
    },
    actionRoute(SEND_AGAIN, parseLookup, (request, interaction) => openAgain(ctx, request, interaction)),
    {
      surface: 'options',
      id: WORKFLOW,
      answer: async ({ typed, blockId }) => {
        const known = await workflowsIn(ctx.db, blockId.slice(WORKFLOW.length + 1));
        return workflowOptions(suggestWorkflows(known, typed), typed);
      },
    },
    { surface: 'action', id: ENVIRONMENT, answer: (interaction) => redrawForm(ctx, interaction, null) },
    { surface: 'action', id: WORKFLOW, answer: (interaction) => redrawForm(ctx, interaction, interaction.value) },
    { surface: 'view', id: TRIGGER, take: (view) => takeTrigger(ctx, view) },
  ]);
  return { commands: [trigger], routes };
}

async function openForm(
  ctx: SlackCtx,
  { words, filters, environment }: Pick<CommandLine, 'words' | 'filters' | 'environment'>,
  interaction: Interaction,
) {
  const { environments, db } = ctx;
  const workflow = workflowNamed(await workflowsIn(db, environment.name), words.join(' '));
  const kept = { ...intentOf(ctx, interaction), again: null };
  const initial = { recipients: (filters.subscriber ?? []).map(lineFor).join('\n'), advanced: '' };
  await interaction.openModal(triggerView({ kept, environments, environment, workflow, initial }));
}

function openAgain(ctx: SlackCtx, request: LookupRequest, interaction: ActionInteraction) {
  return inModal(ctx, interaction, 'Send again', async () => {
    const { environments } = ctx;
    const environment = environmentNamed(request.environment, environments);
    const { event, judgment } = await readEvent(ctx, request);
    const original = originalOf(event, request.environment);
    await refuseIfSentAgain(ctx.db, original);
    const { workflow: identifier, subscriberId, payload, advanced } = original;
    const channels = deliveriesOf(event, judgment).map(({ channel, provider }) => channelVia(channel, provider));
    return triggerView({
      kept: { ...intentOf(ctx, interaction), again: writeLookup(request) },
      environments,
      environment,
      workflow: { identifier, name: event.workflow?.name ?? identifier, variables: [] },
      initial: { recipients: lineFor(subscriberId), payload: maskedText(payload), advanced: maskedText(advanced) },
      above: [
        section([
          mrkdwn`Send *${identifier}* to ${code(subscriberId)} again in ${badge(environment)}`,
          channels.length > 0 &&
            mrkdwn`⚠️ Already delivered, and delivered once more by this: *${listed([...new Set(channels)])}*.`,
        ]),
        context(
          !isSettled(event) && '⚠️ A step is in progress or stuck, and may still be sent without this.',
          'Not carried over: actor, tenant and attachments.',
        ),
      ],
    });
  });
}

async function redrawForm(ctx: SlackCtx, { modal }: ActionInteraction, chosen: string | null) {
  if (modal === null) return;
  const { environments, db } = ctx;
  const kept = keptIn(KeptForm, modal);
  const environment = chosenEnvironment(modal, environments);
  const identifier = chosen ?? modal.valueIn(blockOf(WORKFLOW, modal)) ?? '';
  const workflow = workflowNamed(await workflowsIn(db, environment.name), identifier);
  const texts = fieldsAsDrawn(modal, blockToKeep(modal, kept));
  await modal.update(triggerView({ kept, environments, environment, workflow, ...texts }));
}
