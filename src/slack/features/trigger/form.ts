import { createHash } from 'node:crypto';
import type { InputBlock, ModalView, PlainTextOption } from '@slack/types';
import { z } from 'zod';
import type { Environment } from '../../../lib/environment.ts';
import { InputError, withExample } from '../../../lib/errors.ts';
import { bare } from '../../../lib/fold.ts';
import { Payload, parseTypedObject } from '../../../lib/text/payload.ts';
import type { Workflow } from '../../../service/event.ts';
import {
  ADVANCED_EXAMPLE,
  type FilledTrigger,
  parseRecipients,
  planTrigger,
  type TriggerPlan,
} from '../../../triggers/plan.ts';
import { alert, context, divider, type MessageBlock, option, section } from '../../kit/blocks.ts';
import {
  checkboxInput,
  confirmErrors,
  ENVIRONMENT,
  environmentInput,
  type FilledForm,
  type FormErrors,
  parseField,
  searchInput,
  textInput,
  typedConfirmInput,
} from '../../kit/inputs.ts';
import { BLOCK_ID, INPUT_TEXT, MOST_OPTIONS } from '../../kit/limits.ts';
import { code, joined, type Markup, mrkdwn, plural } from '../../kit/text.ts';
import { formView } from '../../kit/view.ts';
import { FormIntent } from '../../router/in-modal.ts';
import type { FilledView } from '../../router/interaction.ts';

export const TRIGGER = 'trigger.send';
/** The select's action ID, and the prefix of its block's ID, which ends in the environment's name. */
export const WORKFLOW = 'trigger.workflow';
/** The prefix of the block's ID. For Slack, a block with another ID is a new field, so it accepts a new template. */
export const PAYLOAD = 'trigger.payload';
const SUBSCRIBERS = 'trigger.subscribers';
const ADVANCED = 'trigger.advanced';

const Kept = FormIntent.extend({
  /** The event that is sent again. Null for a new test. */
  again: z
    .object({
      environment: z.string(),
      target: z.object({ kind: z.enum(['event', 'transaction']), id: z.string() }),
      /** The form can't show its payload, which is sent if the field is left empty. */
      isTooLong: z.boolean(),
    })
    .nullable(),
});

export type KeptForm = Readonly<z.output<typeof Kept>>;

export function parseKept(privateMetadata: string): KeptForm {
  return Kept.parse(JSON.parse(privateMetadata));
}

export function titleOf({ again }: KeptForm): string {
  return again === null ? 'Send a test' : 'Send again';
}

export type ChosenWorkflow = Pick<Workflow, 'identifier' | 'name' | 'variables'>;

export interface TriggerForm {
  readonly kept: KeptForm;
  readonly environments: readonly Environment[];
  readonly environment: Environment;
  /** Null until one is chosen. */
  readonly workflow: ChosenWorkflow | null;
  /** The block of a payload that stays as it is filled in. Null for a new one. */
  readonly payloadBlock?: string | null;
  /** What the fields start with. The payload otherwise starts with the workflow's variables. */
  readonly initial?: { readonly subscribers: string; readonly payload: string; readonly advanced: string };
  readonly above?: readonly MessageBlock[];
  readonly submit?: string;
}

/**
 * When redrawn, it keeps what was typed, because Slack preserves blocks with the same IDs ("Modal views", preserving
 * input entry): Notif sends none of it back.
 */
export function triggerView(form: TriggerForm): ModalView {
  const { kept, environments, environment, workflow, initial, above = [] } = form;
  const [variable = 'orderId'] = workflow?.variables ?? [];
  return formView({
    callbackId: TRIGGER,
    title: titleOf(kept),
    submit: form.submit ?? (environment.isProtected ? 'Preview' : 'Send'),
    privateMetadata: JSON.stringify(kept),
    blocks: [
      ...above,
      ...environmentInput(environments, environment, 'dispatches'),
      workflowInput(form),
      textInput({
        blockId: SUBSCRIBERS,
        label: 'Subscribers',
        hint: `One ID per line, up to 100. A row can have its own payload, which overrides the one below: user-1 {"${variable}": "…"}. With more than one, you get a preview first.`,
        isMultiline: true,
        initial: initial?.subscribers ?? '',
      }),
      payloadInput(form),
      textInput({
        blockId: ADVANCED,
        label: 'Advanced',
        hint: `JSON with transactionId, overrides, actor, tenant, context or profile: ${ADVANCED_EXAMPLE}`,
        isMultiline: true,
        isOptional: true,
        initial: initial?.advanced ?? '',
      }),
    ],
  });
}

function workflowInput({ environment: { name }, workflow }: TriggerForm): InputBlock {
  const field = { blockId: `${WORKFLOW}:${name}`, actionId: WORKFLOW, label: 'Workflow' };
  const chosen = workflow === null ? null : workflowOption(workflow);
  return { ...searchInput(field, 'Type to search; recent ones first', chosen), dispatch_action: true };
}

function payloadInput({ kept, environment, workflow, payloadBlock = null, initial }: TriggerForm): InputBlock {
  const variables = (workflow?.variables ?? []).map((variable) => [variable, ''] as const);
  const template = variables.length === 0 ? '' : fieldText(Object.fromEntries(variables));
  return textInput({
    blockId: payloadBlock ?? `${PAYLOAD}:${environment.name}:${workflow?.identifier ?? ''}`.slice(0, BLOCK_ID),
    label: 'Payload',
    hint:
      kept.again === null
        ? 'A JSON object, sent to all of them. Leave it empty for none.'
        : 'A JSON object, sent to all of them. A masked value (•••) that you leave as it is keeps its original.',
    isMultiline: true,
    isOptional: true,
    initial: initial?.payload ?? (payloadBlock === null ? (template ?? '') : ''),
  });
}

/** Null if no field can hold it. */
export function maskedText(payload: Payload): string | null {
  return payload.isEmpty ? '' : fieldText(payload.masked());
}

/** Null if it's too long for a field: half of it is no JSON. */
function fieldText(content: object): string | null {
  const text = JSON.stringify(content, null, 2);
  return text.length <= INPUT_TEXT ? text : null;
}

function workflowOption({ identifier, name }: Pick<Workflow, 'identifier' | 'name'>): PlainTextOption | null {
  return option(name === identifier ? identifier : `${identifier} · ${name}`, identifier);
}

/** The typed text is last: Notif knows only workflows of recent events. */
export function workflowOptions(known: readonly Workflow[], typed: string): PlainTextOption[] {
  const word = bare(typed);
  const isKnown = word === '' || known.some(({ identifier }) => identifier === word);
  const typedOption = isKnown ? null : option(`Use “${word}”`, word);
  const options = known.map(workflowOption).filter((choice) => choice !== null);
  return typedOption === null ? options.slice(0, MOST_OPTIONS) : [...options.slice(0, MOST_OPTIONS - 1), typedOption];
}

/** The rest of the ID says for what the field was drawn. */
export function blockOf(prefix: typeof WORKFLOW | typeof PAYLOAD, { blockIds }: Pick<FilledForm, 'blockIds'>): string {
  return blockIds.find((blockId) => blockId.startsWith(`${prefix}:`)) ?? prefix;
}

/** Of a payload that stays when another workflow is chosen. Null for a template that nobody changed. */
export function ownPayload(view: Filled, { again }: KeptForm): string | null {
  const block = blockOf(PAYLOAD, view);
  return again === null && (view.valueIn(block) ?? '') === (view.initialIn(block) ?? '') ? null : block;
}

/** The same only for the same content, and reveals nothing of it: the intent is new for each form. */
export function fingerprintOf(view: FilledForm, { intent }: KeptForm): string {
  const blocks = [ENVIRONMENT, blockOf(WORKFLOW, view), SUBSCRIBERS, blockOf(PAYLOAD, view), ADVANCED];
  const filled = JSON.stringify([intent, blocks.map(view.valueIn)]);
  return createHash('sha256').update(filled).digest('base64url').slice(0, 22);
}

type Filled = Pick<FilledView, 'blockIds' | 'valueIn' | 'valuesIn' | 'initialIn'>;

const PAYLOAD_EXAMPLE = '{"orderId": "A-17"}';

/** Masked values of an event that is sent again stay masked. */
export function parseTrigger(
  view: Filled,
  { again }: KeptForm,
  environments: readonly Environment[],
): { readonly filled: FilledTrigger; readonly plan: TriggerPlan } | { readonly errors: FormErrors } {
  const errors: Record<string, string> = {};
  const field = <T>(blockId: string, read: (text: string) => T, instead: T): T =>
    parseField(blockId, view, { read, instead, errors });
  const object = (blockId: string, name: string, example: string) => {
    const parse = (text: string) => new Payload(parseTypedObject(name, text, example));
    const read = (text: string) => {
      const typed = parse(text);
      if (again !== null) typed.refuseMovedMasks(parse(view.initialIn(blockId) ?? ''));
      return typed;
    };
    return field(blockId, read, new Payload({}));
  };
  const filled = {
    environment: field(ENVIRONMENT, () => readEnvironment(view, environments), ''),
    workflow: field(blockOf(WORKFLOW, view), readWorkflow, ''),
    rows: field(SUBSCRIBERS, parseRecipients, []),
    payload: object(blockOf(PAYLOAD, view), 'payload', PAYLOAD_EXAMPLE),
    advanced: object(ADVANCED, 'advanced', ADVANCED_EXAMPLE),
  };
  try {
    const plan = planTrigger(filled);
    return Object.keys(errors).length > 0 ? { errors } : { filled, plan };
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    return { errors: { ...errors, [error.field === 'subscribers' ? SUBSCRIBERS : ADVANCED]: withExample(error) } };
  }
}

/** If there are several, a missing or removed one isn't guessed. */
function readEnvironment({ valueIn }: FilledForm, environments: readonly Environment[]): string {
  const [first] = environments;
  const chosen = environments.length > 1 ? valueIn(ENVIRONMENT) : (first?.name ?? null);
  if (chosen !== null && environments.some(({ name }) => name === chosen)) return chosen;
  throw new InputError('environment', 'Choose an environment.');
}

function readWorkflow(text: string): string {
  if (text === '') throw new InputError('workflow', 'Choose a workflow.');
  return text;
}

const YES = 'yes';
const MOST_SHOWN = 5;
const LONGEST_JSON = 250;

export interface TriggerPreview {
  readonly filled: FilledTrigger;
  readonly plan: TriggerPlan;
  readonly environment: Environment;
  /** The confirmation's block, which is another one for other content. */
  readonly confirmBlock: string;
  readonly again: KeptForm['again'];
}

/**
 * The confirmation comes first and has the focus: a form stays scrolled to the button that was clicked, and people must
 * not send what they haven't seen.
 */
export function previewBlocks(preview: TriggerPreview): MessageBlock[] {
  const { filled, plan } = preview;
  const profile = plan.events[0]?.profile ?? null;
  const repeated = filled.rows.length - plan.events.length;
  return [
    confirmInput(preview),
    ...(repeated > 0 ? [context(mrkdwn`${plural(repeated, 'duplicate row')} left out: each row is sent once.`)] : []),
    section(joined(rowLines(preview), '\n')),
    ...(filled.advanced.isEmpty ? [] : [section(mrkdwn`Advanced ${jsonOf(filled.advanced)}`)]),
    ...(profile === null
      ? []
      : [alert('warning', mrkdwn`This updates the subscriber at the service: ${jsonOf(profile)}`)]),
    context(mrkdwn`Change anything below to see the preview again.`),
    divider(),
  ];
}

function confirmInput({ plan, environment, confirmBlock: blockId }: TriggerPreview): InputBlock {
  const { name, label, isProtected } = environment;
  const what = `Preview · ${plural(plan.events.length, 'event')} of ${plan.workflow} in ${label}`;
  const field = { blockId, label: what, isFocused: true };
  if (isProtected) {
    const hint = `${label} is a protected environment: type ${name} to send there. Nothing was sent yet.`;
    return typedConfirmInput(environment, { ...field, hint });
  }
  const yes = { value: YES, label: plan.events.length === 1 ? 'Yes, send it' : 'Yes, send them' };
  return checkboxInput({ ...field, hint: 'Nothing was sent yet.' }, [yes], []);
}

export function confirmationErrors(view: FilledForm, environment: Environment, blockId: string): FormErrors {
  if (environment.isProtected) return confirmErrors(environment, view.valueIn, blockId);
  return view.valuesIn(blockId).includes(YES) ? {} : { [blockId]: 'Tick this to send.' };
}

function rowLines({ plan: { events }, again }: TriggerPreview): Markup[] {
  const none = again?.isTooLong ? mrkdwn`the original payload` : mrkdwn`no payload`;
  const rows = events.slice(0, MOST_SHOWN).map(({ subscriberId, payload }, index) => {
    return mrkdwn`${index + 1}. ${code(subscriberId)} ${payload.isEmpty ? none : jsonOf(payload)}`;
  });
  const more = events.length - rows.length;
  return more === 0 ? rows : [...rows, mrkdwn`… and ${plural(more, 'more row')}`];
}

/** Only the person who typed the values sees them, but they are masked anyway: the person may share their screen. */
function jsonOf(payload: Payload): Markup {
  return code(JSON.stringify(payload.masked(), null, 1).replace(/\n\s*/g, ' '), LONGEST_JSON);
}
