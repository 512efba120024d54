import type { InputBlock, KnownBlock, ModalView, PlainTextOption } from '@slack/types';
import { z } from 'zod';
import type { Environment } from '../../domain/environment.ts';
import { InputError } from '../../domain/errors.ts';
import type { Workflow } from '../../domain/service/event.ts';
import { payloadTemplate } from '../../domain/triggers/trigger-input.ts';
import { option } from '../blocks/blocks.ts';
import { environmentInput } from '../blocks/inputs/environment-input.ts';
import { textInput } from '../blocks/inputs/inputs.ts';
import { BLOCK_ID, MOST_OPTIONS, PLACEHOLDER_TEXT } from '../blocks/limits.ts';
import { plain } from '../blocks/text.ts';
import { formView } from '../blocks/view.ts';
import { type FormIntent, parseIntent, writeIntent } from './intent-modal.ts';
import { type More, moreInputs } from './more-modal.ts';
import { rowsInputs } from './rows-modal.ts';

export const TRIGGER = 'trigger.send';
const TRIGGER_TITLE = 'Send a test';
/** The select's action id, and the beginning of its block's id, which ends in the environment's name. */
export const WORKFLOW = 'trigger.workflow';
/** The beginning of the block's id: a block with another id is a new field to Slack, so it takes a new template. */
export const PAYLOAD = 'trigger.payload';
export const SUBSCRIBERS = 'trigger.subscribers';

/** What the form shows. */
export interface TriggerForm extends FormIntent {
  readonly environments: readonly Environment[];
  readonly environment: Environment;
  /** Null before one was chosen. */
  readonly workflow: Pick<Workflow, 'identifier' | 'name' | 'variables'> | null;
  readonly more: readonly More[];
  /** The block of a payload that somebody has typed, which stays as it is; null for the workflow's template. */
  readonly payloadBlock: string | null;
  readonly head: FormHead;
}

/** What stands above the fields, and what is pressed below them. */
export interface FormHead {
  readonly blocks: readonly KnownBlock[];
  readonly submit: string;
  /** The fingerprint of the plan that is shown; null where none is. */
  readonly previewed: string | null;
}

/** Above the fields of a form in which nothing has been looked at yet. */
export function plainHead({ isProtected }: Environment): FormHead {
  return { blocks: [], submit: isProtected ? 'Preview' : 'Send', previewed: null };
}

/**
 * The form for a test: which workflow, for whom, with which payload. Drawn again, it keeps what was typed, as Slack does for blocks
 * of the same ids ("Modal views", preserving input entry): nothing of it is sent back.
 */
export function triggerView(form: TriggerForm): ModalView {
  const { environments, environment, more, head } = form;
  return formView({
    callbackId: TRIGGER,
    title: TRIGGER_TITLE,
    submit: head.submit,
    privateMetadata: JSON.stringify({ form: writeIntent(form), previewed: head.previewed }),
    blocks: [
      ...head.blocks,
      ...environmentInput(environments, environment, 'dispatches'),
      workflowInput(form),
      ...rowsInputs({
        beginning: SUBSCRIBERS,
        label: 'Subscribers',
        hint: rowsHint(form),
        isLong: more.includes('rows'),
      }),
      payloadInput(form),
      ...moreInputs(more),
    ],
  });
}

const Metadata = z.object({ form: z.string(), previewed: z.string().nullable() });

/** What the form keeps. Throws `InputError` where it is not one of this version. */
export function parseTriggerForm(privateMetadata: string): FormIntent & Pick<FormHead, 'previewed'> {
  const kept = Metadata.safeParse(JSON.parse(privateMetadata));
  if (!kept.success) throw new InputError('form', 'This form is from another version of Notif: open it again.');
  return { ...parseIntent(kept.data.form), previewed: kept.data.previewed };
}

const MOST_NAMED = 4;

function rowsHint({ workflow }: TriggerForm): string {
  const [first = 'orderId', ...others] = workflow?.variables ?? [];
  const header = ['subscriber', first, ...others].slice(0, MOST_NAMED).join(',');
  return (
    `One ID per line, up to 100. A row can have its own payload, which overrides the one below: user-1 {"${first}": "…"}. Or paste ` +
    `a table with a header: ${header}. More than one is shown to you before anything is sent.`
  );
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

function payloadInput({ environment: { name }, workflow, payloadBlock }: TriggerForm): InputBlock {
  const variables = workflow?.variables ?? [];
  const template = variables.length > 0 ? payloadTemplate(variables) : '';
  return textInput({
    blockId: payloadBlock ?? `${PAYLOAD}:${name}:${workflow?.identifier ?? ''}`.slice(0, BLOCK_ID),
    label: 'Payload',
    hint: 'A JSON object, sent to all of them. Leave it empty for none.',
    isMultiline: true,
    isOptional: true,
    isTold: true,
    initial: payloadBlock === null ? template : '',
  });
}

function workflowOption({ identifier, name }: Pick<Workflow, 'identifier' | 'name'>): PlainTextOption | null {
  return option(name === identifier ? identifier : `${identifier} · ${name}`, identifier);
}

/** A workflow that no event has named yet, as the form shows it. */
export function unknownWorkflow(
  identifier: string,
  variables: readonly string[] = [],
): NonNullable<TriggerForm['workflow']> {
  return { identifier, name: identifier, variables };
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
