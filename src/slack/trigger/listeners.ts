import { type Environment, environmentNamed } from '../../domain/environment.ts';
import { type ShowTriggerParts, showTrigger } from '../../use-cases/triggers/show-trigger.ts';
import { suggestWorkflows, type WorkflowStore, workflowNamed } from '../../use-cases/triggers/suggest-workflows.ts';
import type { MessageContent } from '../blocks/blocks.ts';
import { parseValue } from '../blocks/button-value.ts';
import { OPEN_TRIGGER } from '../blocks/buttons/open-buttons.ts';
import { ENVIRONMENT, parseEnvironmentInput } from '../blocks/inputs/environment-input.ts';
import { resultView } from '../blocks/view.ts';
import type { Command, Flow } from '../interactions/command.ts';
import { inModal } from '../interactions/in-modal.ts';
import type { ActionInteraction, FilledModal, Interaction } from '../interactions/interaction.ts';
import { redraw } from '../interactions/redraw.ts';
import { actionRoute, type Route, routesFor } from '../interactions/route.ts';
import { ALL_ROWS } from './message.ts';
import {
  environmentOfSelect,
  parseTriggerForm,
  plainHead,
  TRIGGER,
  type TriggerForm,
  triggerView,
  unknownWorkflow,
  WORKFLOW,
  workflowOptions,
} from './modal.ts';
import { chosenWorkflow, typedPayload } from './read-modal.ts';
import { ROWS_TITLE, rowsMessage, TEST_EXPIRED } from './rows-message.ts';
import type { SendParts } from './send.ts';
import { type SendAgainParts, sendAgainRoutes } from './send-again-listeners.ts';
import { take } from './submission.ts';

export interface TriggerFlowParts extends SendAgainParts {
  readonly serviceOf: (
    environment: string,
  ) => ReturnType<SendAgainParts['serviceOf']> & ReturnType<ShowTriggerParts['serviceOf']>;
  readonly store: SendParts['store'] & WorkflowStore & ShowTriggerParts['store'];
}

/** `/notif trigger`, its form and progress, and [Send again] on an event's card. */
export function triggerFlow(parts: TriggerFlowParts): Flow {
  return {
    commands: [triggerCommand(parts)],
    routes: [...triggerRoutes(parts), ...rowsRoutes(parts), ...sendAgainRoutes(parts)],
  };
}

/** `/notif trigger [workflow]` */
function triggerCommand(parts: TriggerFlowParts): Command {
  return {
    word: 'trigger',
    usage: '[workflow]',
    about: 'send a test to subscribers and see how it goes',
    examples: ['', 'order-shipped'],
    for: 'operators',
    filters: ['env'],
    answer: async ({ words, environment }, interaction) => {
      await openForm(interaction, environment, words.join(' '), parts);
    },
  };
}

function triggerRoutes(parts: TriggerFlowParts): Route[] {
  const open = (interaction: Interaction) =>
    openForm(interaction, environmentNamed(undefined, parts.environments), '', parts);
  return routesFor('operators', [
    { surface: 'shortcut', callbackId: 'send_test_notification', type: 'global', answer: open },
    { surface: 'action', id: OPEN_TRIGGER, answer: open },
    {
      surface: 'options',
      id: WORKFLOW,
      answer: ({ typed, blockId }) => optionsOf(environmentOfSelect(blockId), typed, parts),
    },
    { surface: 'action', id: ENVIRONMENT, answer: (interaction) => redrawForm(interaction, null, parts) },
    { surface: 'action', id: WORKFLOW, answer: (interaction) => redrawForm(interaction, interaction.value, parts) },
    {
      surface: 'view',
      callbackId: TRIGGER,
      take: (view) => take(view, parts),
    },
  ]);
}

async function openForm(interaction: Interaction, environment: Environment, workflow: string, parts: TriggerFlowParts) {
  const { environments, newId } = parts;
  await interaction.openModal(
    triggerView({
      intent: newId(),
      answerUrl: interaction.answerUrl,
      channel: interaction.channelId,
      environments,
      environment,
      workflow: await workflowMeant(workflow, environment, parts.store),
      payloadBlock: null,
      head: plainHead(environment),
    }),
  );
}

async function optionsOf(environment: string, typed: string, { store }: TriggerFlowParts) {
  return workflowOptions(await suggestWorkflows(environment, typed, store), typed);
}

/** Returns the workflow that was named in a command. Null if none was, or several have that name: the person chooses in the form. */
async function workflowMeant(
  typed: string,
  { name }: Environment,
  store: WorkflowStore,
): Promise<TriggerForm['workflow']> {
  if (typed === '') return null;
  const found = await workflowNamed(name, typed, store);
  return found === 'several' ? null : (found ?? unknownWorkflow(typed));
}

async function workflowChosen(
  chosen: string,
  { name }: Environment,
  store: WorkflowStore,
): Promise<TriggerForm['workflow']> {
  if (chosen === '') return null;
  const known = await store.workflows(name);
  return known.find(({ identifier }) => identifier === chosen) ?? unknownWorkflow(chosen);
}

/**
 * Redraws the form after a choice: another environment has other workflows and another workflow
 * another template. A payload that the person typed stays.
 */
function redrawForm(interaction: ActionInteraction, workflow: string | null, parts: TriggerFlowParts): Promise<void> {
  return redraw(interaction, async (modal) => modal.carried(triggerView(await formOf(modal, workflow, parts))), parts);
}

async function formOf(modal: FilledModal, workflow: string | null, parts: TriggerFlowParts): Promise<TriggerForm> {
  const { environments, store } = parts;
  const environment = environmentNamed(parseEnvironmentInput(modal.valueIn, environments), environments);
  const chosen = workflow ?? chosenWorkflow(modal) ?? '';
  return {
    ...parseTriggerForm(modal.privateMetadata),
    environments,
    environment,
    workflow: await workflowChosen(chosen, environment, store),
    payloadBlock: typedPayload(modal),
    head: plainHead(environment),
  };
}

/** The route for [All rows] of a trigger. */
function rowsRoutes(parts: TriggerFlowParts): Route[] {
  return routesFor('members', [
    actionRoute(ALL_ROWS, parseIntentId, (intent, interaction) =>
      inModal(interaction, ROWS_TITLE, async () => resultView(await rowsOf(intent, parts), ROWS_TITLE), parts),
    ),
  ]);
}

function parseIntentId(value: string): string | null {
  const [intent, ...others] = parseValue(value) ?? [];
  return intent !== undefined && others.length === 0 ? intent : null;
}

async function rowsOf(intent: string, parts: TriggerFlowParts): Promise<MessageContent> {
  const shown = await showTrigger(intent, parts);
  if (shown === null) return TEST_EXPIRED;
  return rowsMessage(shown, environmentNamed(shown.run.environment, parts.environments));
}
