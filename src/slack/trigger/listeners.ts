import type { ModalView } from '@slack/types';
import { type Environment, environmentNamed } from '../../domain/environment.ts';
import { deliveriesOf } from '../../domain/failures/successes.ts';
import { originalOf } from '../../domain/triggers/again.ts';
import { lineFor } from '../../domain/triggers/recipients.ts';
import { type ShowTriggerParts, showTrigger } from '../../use-cases/triggers/run-trigger.ts';
import { suggestWorkflows, type WorkflowStore, workflowNamed } from '../../use-cases/triggers/suggest-workflows.ts';
import { parseValue } from '../blocks/button-value.ts';
import { type LookupRequest, parseLookup, SEND_AGAIN } from '../blocks/buttons/lookup-button.ts';
import { OPEN_TRIGGER } from '../blocks/buttons/open-buttons.ts';
import { ENVIRONMENT, parseEnvironmentInput } from '../blocks/inputs/environment-input.ts';
import { resultView } from '../blocks/view.ts';
import type { Command, Flow } from '../interactions/command.ts';
import { inModal } from '../interactions/in-modal.ts';
import type { ActionInteraction, Interaction, OptionsQuery } from '../interactions/interaction.ts';
import { redraw } from '../interactions/redraw.ts';
import { actionRoute, type Route, routesFor } from '../interactions/route.ts';
import {
  blockOf,
  type ChosenWorkflow,
  maskedText,
  ownPayload,
  parseKept,
  TRIGGER,
  triggerView,
  WORKFLOW,
  workflowOptions,
} from './form.ts';
import { ALL_ROWS, againBlocks, rowsMessage, TEST_EXPIRED } from './message.ts';
import { readAgain, type SendParts, take } from './send.ts';

export interface TriggerFlowParts extends SendParts {
  readonly store: SendParts['store'] & WorkflowStore & ShowTriggerParts['store'];
}

export function triggerFlow(parts: TriggerFlowParts): Flow {
  const trigger: Command = {
    word: 'trigger',
    usage: '[workflow]',
    about: 'send a test to subscribers and see how it goes',
    examples: ['', 'order-shipped'],
    for: 'operators',
    filters: ['env'],
    answer: ({ words, environment }, interaction) => openForm(interaction, environment, words.join(' '), parts),
  };
  return { commands: [trigger], routes: routesOf(parts) };
}

function routesOf(parts: TriggerFlowParts): Route[] {
  const { environments, store } = parts;
  const open = (interaction: Interaction) =>
    openForm(interaction, environmentNamed(undefined, environments), '', parts);
  const offered = async ({ typed, blockId }: OptionsQuery) =>
    workflowOptions(await suggestWorkflows(blockId.slice(WORKFLOW.length + 1), typed, store), typed);
  return [
    ...routesFor('operators', [
      { surface: 'shortcut', callbackId: 'send_test_notification', type: 'global', answer: open },
      { surface: 'action', id: OPEN_TRIGGER, answer: open },
      actionRoute(SEND_AGAIN, parseLookup, (request, interaction) => openAgain(request, interaction, parts)),
      { surface: 'options', id: WORKFLOW, answer: offered },
      { surface: 'action', id: ENVIRONMENT, answer: (interaction) => redrawForm(interaction, null, parts) },
      { surface: 'action', id: WORKFLOW, answer: (interaction) => redrawForm(interaction, interaction.value, parts) },
      { surface: 'view', callbackId: TRIGGER, take: (view) => take(view, parts) },
    ]),
    ...routesFor('members', [
      actionRoute(
        ALL_ROWS,
        (value) => parseValue(value)?.[0] ?? null,
        (intent, interaction) => inModal(interaction, ROWS_TITLE, () => rowsView(intent, parts), parts),
      ),
    ]),
  ];
}

async function openForm(interaction: Interaction, environment: Environment, named: string, parts: TriggerFlowParts) {
  const { environments, store } = parts;
  const workflow = await workflowMeant(named, environment, store);
  await interaction.openModal(
    triggerView({ kept: { ...intentOf(interaction, parts), again: null }, environments, environment, workflow }),
  );
}

async function openAgain(request: LookupRequest, interaction: ActionInteraction, parts: TriggerFlowParts) {
  const intent = intentOf(interaction, parts);
  const form = async () => {
    const { environments } = parts;
    const environment = environmentNamed(request.environment, environments);
    const { event, judgement } = await readAgain(request, parts);
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
  await inModal(interaction, 'Send again', form, parts);
}

function intentOf({ answerUrl, channelId: channel }: Interaction, { newId }: TriggerFlowParts) {
  return { intent: newId(), answerUrl, channel };
}

/** Null if none was named, or several have that name: the person chooses in the form. */
async function workflowMeant(
  named: string,
  { name }: Environment,
  store: WorkflowStore,
): Promise<ChosenWorkflow | null> {
  if (named === '') return null;
  const found = await workflowNamed(name, named, store);
  return found === 'several' ? null : (found ?? { identifier: named, name: named, variables: [] });
}

/**
 * Another environment has other workflows and another workflow another template. A payload that the person typed stays.
 */
function redrawForm(interaction: ActionInteraction, chosen: string | null, parts: TriggerFlowParts): Promise<void> {
  const { environments, store } = parts;
  return redraw(
    interaction,
    async (modal) => {
      const kept = parseKept(modal.privateMetadata);
      const environment = environmentNamed(parseEnvironmentInput(modal.valueIn, environments), environments);
      const workflow = await workflowMeant(chosen ?? modal.valueIn(blockOf(WORKFLOW, modal)) ?? '', environment, store);
      const payloadBlock = ownPayload(modal, kept);
      return modal.carried(triggerView({ kept, environments, environment, workflow, payloadBlock }));
    },
    parts,
  );
}

const ROWS_TITLE = 'All rows';

async function rowsView(intent: string, parts: TriggerFlowParts): Promise<ModalView> {
  const shown = await showTrigger(intent, parts);
  const environment = environmentNamed(shown?.run.intent.environment, parts.environments);
  return resultView(shown === null ? TEST_EXPIRED : rowsMessage(shown, environment), ROWS_TITLE);
}
