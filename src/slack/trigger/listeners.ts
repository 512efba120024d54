import { type Environment, environmentNamed } from '../../domain/environment.ts';
import { refuseOthers } from '../../domain/filters.ts';
import { fingerprintOf, needsPreview, type TriggerPlan } from '../../domain/trigger-plan.ts';
import { requireOperator } from '../../use-cases/require-operator.ts';
import { suggestWorkflows, type WorkflowStore } from '../../use-cases/suggest-workflows.ts';
import { divider, type MessageContent } from '../blocks/blocks.ts';
import { ENVIRONMENT, readEnvironmentInput } from '../blocks/environment-input.ts';
import type { Command } from '../doors/command.ts';
import type { Door, Submitted } from '../doors/door.ts';
import type { ActionGesture, FilledModal, FilledView, Gesture, SubmissionGesture } from '../doors/gesture.ts';
import { blockOf } from './filled-modal.ts';
import {
  environmentOfSelect,
  type FormHead,
  PAYLOAD,
  plainHead,
  readTriggerForm,
  TRIGGER,
  type TriggerForm,
  triggerView,
  WORKFLOW,
  workflowOptions,
} from './modal.ts';
import { MORE, ticked } from './more-modal.ts';
import { previewHead, wrongConfirmation } from './preview-modal.ts';
import { chosenWorkflow, readTrigger, typedPayload } from './read-modal.ts';
import { type RowsParts, rowsDoors } from './rows-listeners.ts';
import { type SendParts, send, toldWhereAsked } from './send.ts';

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
    forOperators: true,
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
    { surface: 'shortcut', callbackId: 'send_test_notification', type: 'global', answer: open },
    {
      surface: 'options',
      id: WORKFLOW,
      answer: ({ typed, blockId }) => optionsOf(environmentOfSelect(blockId), typed, parts),
    },
    { surface: 'action', id: ENVIRONMENT, answer: (gesture) => redraw(gesture, null, parts) },
    { surface: 'action', id: WORKFLOW, answer: (gesture) => redraw(gesture, gesture.value, parts) },
    { surface: 'action', id: MORE, answer: (gesture) => redraw(gesture, null, parts) },
    { surface: 'view', callbackId: TRIGGER, take: (view) => take(view, parts) },
    ...rowsDoors(parts),
  ];
}

async function openForm(gesture: Gesture, environment: Environment, workflow: string, parts: TriggerFlowParts) {
  await requireOperator(gesture.userId, parts.operators, parts.groups);
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

function unknownWorkflow(identifier: string, variables: readonly string[] = []) {
  return { identifier, name: identifier, variables };
}

/**
 * Draws the form again after a choice: another environment has other workflows, another workflow another template, and what is
 * ticked unfolds. A payload that somebody has typed stays as it is.
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
    ...readTriggerForm(modal.privateMetadata),
    environments,
    environment,
    workflow: await workflowCalled(chosen, environment, store),
    more: ticked(modal),
    payloadBlock: typedPayload(modal),
    head: plainHead(environment),
  };
}

/** One event is sent as it is; what needs a look is shown first, and sent once what was shown is submitted. */
function take(view: FilledView, parts: TriggerFlowParts): Submitted {
  const read = readTrigger(view, parts.environments);
  if (read.is === 'wrong') return { is: 'refused', errors: read.errors };
  const { plan, repeatedRows } = read;
  const form = readTriggerForm(view.privateMetadata);
  const environment = environmentNamed(plan.environment, parts.environments);
  if (!needsPreview(plan, environment))
    return { is: 'taken', next: null, answer: (gesture) => sendAtOnce(plan, gesture, parts) };
  const preview = { plan, environment, repeatedRows, fingerprint: fingerprintOf(plan, form.intent) };
  const shown = (phase: 'shown' | 'sending') =>
    triggerView(asFilled(view, plan, previewHead({ ...preview, phase }), parts));
  if (form.previewed !== preview.fingerprint) return { is: 'taken', next: shown('shown'), answer: async () => {} };
  const errors = wrongConfirmation(view, environment, preview.fingerprint);
  if (errors !== null) return { is: 'refused', errors };
  return { is: 'taken', next: shown('sending'), answer: (gesture) => sendPreviewed(plan, gesture, parts) };
}

async function sendAtOnce(plan: TriggerPlan, gesture: SubmissionGesture, parts: TriggerFlowParts): Promise<void> {
  const form = readTriggerForm(gesture.view.privateMetadata);
  await send(plan, form, toldWhereAsked(form, gesture, parts), gesture, parts);
}

/** The modal stays: it points to the direct message or, when nothing was sent, shows the form again, so that no row is lost. */
async function sendPreviewed(plan: TriggerPlan, gesture: SubmissionGesture, parts: TriggerFlowParts): Promise<void> {
  const { view, modal, reply } = gesture;
  const { environments, newId } = parts;
  const submit = plainHead(environmentNamed(plan.environment, environments));
  const nothingSent = async ({ blocks }: MessageContent) => {
    const form = asFilled(view, plan, { ...submit, blocks: [...blocks, divider()] }, parts);
    await modal.update(triggerView({ ...form, intent: newId() }));
  };
  await send(plan, readTriggerForm(view.privateMetadata), { pointer: reply, nothingSent }, gesture, parts);
}

/** The form as it is filled in, under another head. */
function asFilled(
  view: FilledView,
  plan: TriggerPlan,
  head: FormHead,
  { environments }: TriggerFlowParts,
): TriggerForm {
  return {
    ...readTriggerForm(view.privateMetadata),
    environments,
    environment: environmentNamed(plan.environment, environments),
    workflow: unknownWorkflow(plan.workflow, plan.events[0]?.payload.fields),
    more: ticked(view),
    payloadBlock: blockOf(PAYLOAD, view),
    head,
  };
}
