import type { InputBlock, ModalView, PlainTextOption } from '@slack/types';
import { z } from 'zod';
import type { Environment } from '../../domain/environment.ts';
import { InputError } from '../../domain/errors.ts';
import { bare } from '../../domain/fold.ts';
import type { Workflow } from '../../domain/service/event.ts';
import { ADVANCED_EXAMPLE } from '../../domain/triggers/advanced.ts';
import { type MessageBlock, option } from '../blocks/blocks.ts';
import { environmentInput } from '../blocks/inputs/environment-input.ts';
import { searchInput, textInput } from '../blocks/inputs/inputs.ts';
import { BLOCK_ID, INPUT_TEXT, MOST_OPTIONS } from '../blocks/limits.ts';
import { formView } from '../blocks/view.ts';
import { type FormIntent, parseIntent, writeIntent } from './intent-modal.ts';

export const TRIGGER = 'trigger.send';
const TRIGGER_TITLE = 'Send a test';
/** The select's action ID, and the prefix of its block's ID, which ends in the environment's name. */
export const WORKFLOW = 'trigger.workflow';
/** The prefix of the block's ID. For Slack, a block with another ID is a new field, so it accepts a new template. */
export const PAYLOAD = 'trigger.payload';
export const SUBSCRIBERS = 'trigger.subscribers';
export const ADVANCED = 'trigger.advanced';

export interface TriggerForm extends FormIntent {
  readonly environments: readonly Environment[];
  readonly environment: Environment;
  /** Null until one is chosen. */
  readonly workflow: Pick<Workflow, 'identifier' | 'name' | 'variables'> | null;
  /** The block of a payload that the person typed, which stays unchanged. Null for the workflow's template. */
  readonly payloadBlock: string | null;
  readonly head: FormHead;
}

/** The blocks above the fields, and the label of the button below them. */
export interface FormHead {
  readonly blocks: readonly MessageBlock[];
  readonly submit: string;
  readonly previewed: string | null;
}

export function plainHead({ isProtected }: Pick<Environment, 'isProtected'>): FormHead {
  return { blocks: [], submit: isProtected ? 'Preview' : 'Send', previewed: null };
}

/**
 * Builds the form for a test: workflow, subscribers, payload. When redrawn, it keeps what was typed, because Slack preserves blocks with
 * the same IDs ("Modal views", preserving input entry): Notif sends none of it back.
 */
export function triggerView(form: TriggerForm): ModalView {
  const { environments, environment, head } = form;
  return formView({
    callbackId: TRIGGER,
    title: TRIGGER_TITLE,
    submit: head.submit,
    privateMetadata: writeTriggerForm(form, head),
    blocks: [
      ...head.blocks,
      ...environmentInput(environments, environment, 'dispatches'),
      workflowInput(form),
      textInput({ blockId: SUBSCRIBERS, label: 'Subscribers', hint: rowsHint(form), isMultiline: true }),
      payloadInput(form),
      textInput({
        blockId: ADVANCED,
        label: 'Advanced',
        hint: `JSON with transactionId, overrides, actor, tenant, context or profile: ${ADVANCED_EXAMPLE}`,
        isMultiline: true,
        isOptional: true,
      }),
    ],
  });
}

const Metadata = z.object({
  form: z.string(),
  previewed: z.string().nullable(),
});

type KeptHead = Pick<FormHead, 'previewed'>;

/** Writes what the form keeps. */
function writeTriggerForm(intent: FormIntent, { previewed }: KeptHead): string {
  return JSON.stringify({ form: writeIntent(intent), previewed });
}

/** Parses what the form keeps. Throws `InputError` unless it's of this version. */
export function parseTriggerForm(privateMetadata: string): FormIntent & KeptHead {
  const kept = Metadata.safeParse(JSON.parse(privateMetadata));
  if (!kept.success) throw new InputError('form', 'This form is from another version of Notif: open it again.');
  const { form, previewed } = kept.data;
  return { ...parseIntent(form), previewed };
}

function rowsHint({ workflow }: TriggerForm): string {
  const [first = 'orderId'] = workflow?.variables ?? [];
  return (
    `One ID per line, up to 100. A row can have its own payload, which overrides the one below: user-1 {"${first}": "…"}. ` +
    'More than one is shown to you before anything is sent.'
  );
}

function workflowInput({ environment: { name }, workflow }: TriggerForm): InputBlock {
  const field = { blockId: `${WORKFLOW}:${name}`, actionId: WORKFLOW, label: 'Workflow' };
  const chosen = workflow === null ? null : workflowOption(workflow);
  return { ...searchInput(field, 'Type to search; recent ones first', chosen), dispatch_action: true };
}

function payloadInput({ environment: { name }, workflow, payloadBlock }: TriggerForm): InputBlock {
  const variables = workflow?.variables ?? [];
  const template = JSON.stringify(Object.fromEntries(variables.map((name) => [name, ''])), null, 2);
  return textInput({
    blockId: payloadBlock ?? `${PAYLOAD}:${name}:${workflow?.identifier ?? ''}`.slice(0, BLOCK_ID),
    label: 'Payload',
    hint: 'A JSON object, sent to all of them. Leave it empty for none.',
    isMultiline: true,
    isOptional: true,
    initial: payloadBlock === null && variables.length > 0 && template.length <= INPUT_TEXT ? template : '',
  });
}

function workflowOption({ identifier, name }: Pick<Workflow, 'identifier' | 'name'>): PlainTextOption | null {
  return option(name === identifier ? identifier : `${identifier} · ${name}`, identifier);
}

/** Returns a workflow that no event has named yet, as the form shows it. */
export function unknownWorkflow(
  identifier: string,
  variables: readonly string[] = [],
): NonNullable<TriggerForm['workflow']> {
  return { identifier, name: identifier, variables };
}

/** Returns the workflows to choose from and, last, the typed text: Notif knows only workflows of recent events. */
export function workflowOptions(known: readonly Workflow[], typed: string): PlainTextOption[] {
  const word = bare(typed);
  const isKnown = word === '' || known.some(({ identifier }) => identifier === word);
  const own = isKnown ? null : option(`Use “${word}”`, word);
  const options = known.map(workflowOption).filter((one) => one !== null);
  return own === null ? options.slice(0, MOST_OPTIONS) : [...options.slice(0, MOST_OPTIONS - 1), own];
}

/** Returns the environment whose workflows a select offers, from its block's ID. */
export function environmentOfSelect(blockId: string): string {
  return blockId.slice(WORKFLOW.length + 1);
}
