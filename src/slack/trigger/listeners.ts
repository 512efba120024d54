import { type Environment, environmentNamed } from '../../domain/environment.ts';
import { refuseOthers } from '../../domain/input/filters.ts';
import { suggestWorkflows, type WorkflowStore } from '../../use-cases/triggers/suggest-workflows.ts';
import { ENVIRONMENT, readEnvironmentInput } from '../blocks/inputs/environment-input.ts';
import type { Command } from '../interactions/command.ts';
import type { ActionGesture, FilledModal, Gesture } from '../interactions/interaction.ts';
import { redraw } from '../interactions/redraw.ts';
import { type Door, doorsFor } from '../interactions/route.ts';
import {
  environmentOfSelect,
  plainHead,
  readTriggerForm,
  TRIGGER,
  type TriggerForm,
  triggerView,
  unknownWorkflow,
  WORKFLOW,
  workflowOptions,
} from './modal.ts';
import { MORE, ticked } from './more-modal.ts';
import { chosenWorkflow, typedPayload } from './read-modal.ts';
import { type RowsParts, rowsDoors } from './rows-listeners.ts';
import type { SendParts } from './send.ts';
import { take } from './submission.ts';

export interface TriggerFlowParts extends SendParts {
  readonly serviceOf: (environment: string) => ReturnType<SendParts['serviceOf']> & ReturnType<RowsParts['serviceOf']>;
  readonly store: SendParts['store'] & WorkflowStore & RowsParts['store'];
}

/** `/notif trigger [workflow]` */
export function triggerCommand(parts: TriggerFlowParts): Command {
  return {
    word: 'trigger',
    usage: '[workflow]',
    about: 'send a test to subscribers and see how it goes',
    examples: ['', 'order-shipped'],
    for: 'operators',
    answer: async ({ words, filters, environment }, gesture) => {
      refuseOthers(filters, ['env'], '/notif trigger');
      await openForm(gesture, environment, words.join(' '), parts);
    },
  };
}

/** The ways to the form for a test, what is heard while it is filled in, and the pages of what became of it. */
export function triggerDoors(parts: TriggerFlowParts): Door[] {
  const open = (gesture: Gesture) => openForm(gesture, environmentNamed(undefined, parts.environments), '', parts);
  return [
    ...doorsFor('operators', [
      { surface: 'shortcut', callbackId: 'send_test_notification', type: 'global', answer: open },
      {
        surface: 'options',
        id: WORKFLOW,
        answer: ({ typed, blockId }) => optionsOf(environmentOfSelect(blockId), typed, parts),
      },
      { surface: 'action', id: ENVIRONMENT, answer: (gesture) => redrawForm(gesture, null, parts) },
      { surface: 'action', id: WORKFLOW, answer: (gesture) => redrawForm(gesture, gesture.value, parts) },
      { surface: 'action', id: MORE, answer: (gesture) => redrawForm(gesture, null, parts) },
      { surface: 'view', callbackId: TRIGGER, draft: () => '', take: (view) => take(view, parts) },
    ]),
    ...rowsDoors(parts),
  ];
}

async function openForm(gesture: Gesture, environment: Environment, workflow: string, parts: TriggerFlowParts) {
  const { environments, newId } = parts;
  await gesture.openModal(
    triggerView({
      intent: newId(),
      answerUrl: gesture.answerUrl,
      channel: gesture.channelId,
      environments,
      environment,
      workflow: await workflowCalled(workflow, environment, parts.store),
      more: [],
      payloadBlock: null,
      head: plainHead(environment),
    }),
  );
}

async function optionsOf(environment: string, typed: string, { store }: TriggerFlowParts) {
  return workflowOptions(await suggestWorkflows(environment, typed, store), typed);
}

/** A workflow by what was typed or chosen; one that is not known has no variables to show. */
async function workflowCalled(
  typed: string,
  { name }: Environment,
  store: WorkflowStore,
): Promise<TriggerForm['workflow']> {
  if (typed === '') return null;
  const known = await store.workflows(name);
  return known.find(({ identifier }) => identifier === typed) ?? unknownWorkflow(typed);
}

/**
 * Draws the form again after a choice: another environment has other workflows, another workflow another template, and what is
 * ticked unfolds. A payload that somebody has typed stays as it is.
 */
function redrawForm(gesture: ActionGesture, workflow: string | null, parts: TriggerFlowParts): Promise<void> {
  return redraw(gesture, async (modal) => modal.carried(triggerView(await formOf(modal, workflow, parts))), parts);
}

async function formOf(modal: FilledModal, workflow: string | null, parts: TriggerFlowParts): Promise<TriggerForm> {
  const { environments, store } = parts;
  const environment = environmentNamed(readEnvironmentInput(modal.valueIn, environments), environments);
  const chosen = workflow ?? chosenWorkflow(modal) ?? '';
  return {
    ...readTriggerForm(modal.privateMetadata),
    environments,
    environment,
    workflow: await workflowCalled(chosen, environment, store),
    more: ticked(modal),
    payloadBlock: typedPayload(modal),
    head: plainHead(environment),
  };
}
