import { type Environment, environmentNamed } from '../../domain/environment.ts';
import { refuseOthers } from '../../domain/filters.ts';
import { requireOperator } from '../../use-cases/require-operator.ts';
import { suggestWorkflows, type WorkflowStore } from '../../use-cases/suggest-workflows.ts';
import { ENVIRONMENT, readEnvironmentInput } from '../blocks/environment-input.ts';
import { OPEN_TRIGGER } from '../blocks/open-buttons.ts';
import type { Command } from '../doors/command.ts';
import type { Door } from '../doors/door.ts';
import type { ActionGesture, FilledModal, Gesture } from '../doors/gesture.ts';
import { readIntent } from './intent-modal.ts';
import {
  chosenWorkflow,
  environmentOfSelect,
  readTrigger,
  TRIGGER,
  type TriggerForm,
  triggerView,
  typedPayload,
  WORKFLOW,
  workflowOptions,
} from './modal.ts';
import { type SendParts, send } from './send.ts';

export interface TriggerFlowParts extends SendParts {
  readonly store: SendParts['store'] & WorkflowStore;
}

/** `/notif trigger [workflow]` */
export function triggerCommand(parts: TriggerFlowParts): Command {
  return {
    word: 'trigger',
    usage: '[workflow]',
    about: 'send a test to subscribers and see how it goes',
    examples: ['', 'order-shipped'],
    forOperators: true,
    answer: async ({ words, filters, environment }, gesture) => {
      refuseOthers(filters, ['env'], '/notif trigger');
      await openForm(gesture, environment, words.join(' '), parts);
    },
  };
}

/** The ways to the form for a test, and what is heard while it is filled in. */
export function triggerDoors(parts: TriggerFlowParts): Door[] {
  const open = (gesture: Gesture) => openForm(gesture, environmentNamed(undefined, parts.environments), '', parts);
  return [
    { surface: 'shortcut', callbackId: 'send_test_notification', type: 'global', answer: open },
    { surface: 'action', id: OPEN_TRIGGER, answer: open },
    {
      surface: 'options',
      id: WORKFLOW,
      answer: ({ typed, blockId }) => optionsOf(environmentOfSelect(blockId), typed, parts),
    },
    { surface: 'action', id: ENVIRONMENT, answer: (gesture) => redraw(gesture, null, parts) },
    { surface: 'action', id: WORKFLOW, answer: (gesture) => redraw(gesture, gesture.value, parts) },
    {
      surface: 'view',
      callbackId: TRIGGER,
      take: (view) => {
        const read = readTrigger(view, parts.environments);
        if (read.is === 'wrong') return { is: 'refused', errors: read.errors };
        const intent = readIntent(view.privateMetadata);
        return { is: 'taken', next: null, answer: (gesture) => send(read.wanted, intent, gesture, parts) };
      },
    },
  ];
}

async function openForm(gesture: Gesture, environment: Environment, workflow: string, parts: TriggerFlowParts) {
  await requireOperator(gesture.userId, parts.operators, parts.groups);
  const { environments, newId } = parts;
  await gesture.openModal(
    triggerView({
      intent: newId(),
      answerUrl: gesture.answerUrl,
      environments,
      environment,
      workflow: await workflowCalled(workflow, environment, parts.store),
      typedPayload: null,
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
  return known.find(({ identifier }) => identifier === typed) ?? { identifier: typed, name: typed, variables: [] };
}

/**
 * Draws the form again after a choice: another environment has other workflows, another workflow another template. A payload that
 * somebody has typed stays as it is.
 */
async function redraw({ modal }: ActionGesture, workflow: string | null, parts: TriggerFlowParts): Promise<void> {
  if (modal === null) return;
  await modal.update(triggerView(await formOf(modal, workflow, parts)));
}

async function formOf(modal: FilledModal, workflow: string | null, parts: TriggerFlowParts): Promise<TriggerForm> {
  const { environments, store } = parts;
  const environment = environmentNamed(readEnvironmentInput(modal.valueIn, environments), environments);
  const chosen = workflow ?? chosenWorkflow(modal) ?? '';
  return {
    ...readIntent(modal.privateMetadata),
    environments,
    environment,
    workflow: await workflowCalled(chosen, environment, store),
    typedPayload: typedPayload(modal),
  };
}
