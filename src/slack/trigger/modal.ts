import type { InputBlock, ModalView, PlainTextOption } from '@slack/types';
import type { Environment } from '../../domain/environment.ts';
import { environmentNamed } from '../../domain/environment.ts';
import { InputError, withExample } from '../../domain/errors.ts';
import type { Workflow } from '../../domain/event.ts';
import { payloadTemplate, readPayload, readRecipients, readTransactionId } from '../../domain/trigger.ts';
import { option } from '../blocks/blocks.ts';
import { confirmInput } from '../blocks/confirm-input.ts';
import { environmentInput, readEnvironmentInput } from '../blocks/environment-input.ts';
import { textInput } from '../blocks/inputs.ts';
import { BLOCK_ID, MOST_OPTIONS, PLACEHOLDER_TEXT } from '../blocks/limits.ts';
import { plain } from '../blocks/text.ts';
import { formView } from '../blocks/view.ts';
import type { FormIntent } from './intent-modal.ts';
import { writeIntent } from './intent-modal.ts';

export const TRIGGER = 'trigger.send';
/** The select's action id, and the beginning of its block's id, which ends in the environment's name. */
export const WORKFLOW = 'trigger.workflow';
/** The beginning of the block's id: a block with another id is a new field to Slack, so it takes a new template. */
const PAYLOAD = 'trigger.payload';
const SUBSCRIBERS = 'trigger.subscribers';
const TRANSACTION = 'trigger.transaction';

/** What the form shows. */
export interface TriggerForm extends FormIntent {
  readonly environments: readonly Environment[];
  readonly environment: Environment;
  /** Null before one was chosen. */
  readonly workflow: Pick<Workflow, 'identifier' | 'name' | 'variables'> | null;
  /** The block of a payload that somebody has typed, which stays as it is; null for the workflow's template. */
  readonly typedPayload: string | null;
}

/** The form for a test: which workflow, for whom, with which payload. */
export function triggerView(form: TriggerForm): ModalView {
  const { environments, environment } = form;
  return formView({
    callbackId: TRIGGER,
    title: 'Send a test',
    submit: 'Send',
    privateMetadata: writeIntent(form),
    blocks: [
      ...environmentInput(environments, environment, 'dispatches'),
      workflowInput(form),
      textInput({
        blockId: SUBSCRIBERS,
        label: 'Subscribers',
        hint: 'Subscriber ids, one a line; at most 100.',
        isMultiline: true,
      }),
      payloadInput(form),
      textInput({
        blockId: TRANSACTION,
        label: 'Transaction id',
        hint: 'Of your own, for one subscriber; made up otherwise.',
        isOptional: true,
      }),
      ...confirmInput(environment),
    ],
  });
}

function workflowInput({ environment: { name }, workflow }: TriggerForm): InputBlock {
  const initial = workflow === null ? null : workflowOption(workflow);
  return {
    type: 'input',
    block_id: `${WORKFLOW}:${name}`,
    label: plain('Workflow', PLACEHOLDER_TEXT),
    dispatch_action: true,
    element: {
      type: 'external_select',
      action_id: WORKFLOW,
      min_query_length: 0,
      placeholder: plain('Type to search; recent ones first', PLACEHOLDER_TEXT),
      ...(initial === null ? {} : { initial_option: initial }),
    },
  };
}

function payloadInput({ environment: { name }, workflow, typedPayload }: TriggerForm): InputBlock {
  const hasTemplate = typedPayload === null && workflow !== null && workflow.variables.length > 0;
  return textInput({
    blockId: typedPayload ?? `${PAYLOAD}:${name}:${workflow?.identifier ?? ''}`.slice(0, BLOCK_ID),
    label: 'Payload',
    hint: 'A JSON object; empty for none.',
    isMultiline: true,
    isOptional: true,
    initial: hasTemplate ? payloadTemplate(workflow.variables) : '',
  });
}

function workflowOption({ identifier, name }: Pick<Workflow, 'identifier' | 'name'>): PlainTextOption | null {
  return option(name === identifier ? identifier : `${identifier} · ${name}`, identifier);
}

/** The workflows to choose from and, last, what was typed itself: only workflows of recent events are known. */
export function workflowOptions(known: readonly Workflow[], typed: string): PlainTextOption[] {
  const word = typed.trim();
  const isKnown = word === '' || known.some(({ identifier }) => identifier === word);
  const own = isKnown ? null : option(`Use “${word}”`, word);
  const options = known.map(workflowOption).filter((one) => one !== null);
  return own === null ? options.slice(0, MOST_OPTIONS) : [...options.slice(0, MOST_OPTIONS - 1), own];
}

/** The environment whose workflows a select offers, by its block's id. */
export function environmentOfSelect(blockId: string): string {
  return blockId.slice(WORKFLOW.length + 1);
}

/** What is filled in so far: what of it decides how the form goes on. */
export interface Filled {
  readonly blockIds: readonly string[];
  valueIn(blockId: string): string | null;
}

export function chosenWorkflow(filled: Filled): string | null {
  return filled.valueIn(blockOf(WORKFLOW, filled));
}

/** The block of the payload once somebody has typed one; null while it is empty or a template, which another one may replace. */
export function typedPayload(filled: Filled): string | null {
  const block = blockOf(PAYLOAD, filled);
  return isTemplate(filled.valueIn(block) ?? '') ? null : block;
}

function isTemplate(text: string): boolean {
  try {
    return Object.values(readPayload(text).forTrigger()).every((value) => value === '');
  } catch (error) {
    if (error instanceof InputError) return false;
    throw error;
  }
}

/** A filled in form as it is to be sent, or what is wrong with it, by block. */
export type TriggerRead =
  | { readonly is: 'complete'; readonly wanted: WantedTrigger }
  | { readonly is: 'wrong'; readonly errors: { readonly [blockId: string]: string } };

export interface WantedTrigger {
  readonly environment: string;
  readonly workflow: string;
  readonly subscriberIds: readonly string[];
  readonly payload: ReturnType<typeof readPayload>;
  readonly transactionId: string | null;
}

export function readTrigger(filled: Filled, environments: readonly Environment[]): TriggerRead {
  const errors: Record<string, string> = {};
  const attempt = <T>(blockId: string, read: (text: string) => T): T | null => {
    try {
      return read(filled.valueIn(blockId) ?? '');
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      errors[blockId] = withExample(error);
      return null;
    }
  };
  const workflow = attempt(blockOf(WORKFLOW, filled), readWorkflow);
  const subscriberIds = attempt(SUBSCRIBERS, readRecipients);
  const payload = attempt(blockOf(PAYLOAD, filled), readPayload);
  const transactionId = attempt(TRANSACTION, (text) => readTransactionId(text, subscriberIds?.length ?? 1));
  if (workflow === null || subscriberIds === null || payload === null || Object.keys(errors).length > 0) {
    return { is: 'wrong', errors };
  }
  const environment = environmentNamed(readEnvironmentInput(filled.valueIn, environments), environments).name;
  return { is: 'complete', wanted: { environment, workflow, subscriberIds, payload, transactionId } };
}

function readWorkflow(text: string): string {
  if (text === '') throw new InputError('workflow', 'Choose a workflow.');
  return text;
}

function blockOf(beginning: string, { blockIds }: Filled): string {
  return blockIds.find((blockId) => blockId.startsWith(`${beginning}:`)) ?? beginning;
}
