import type { ModalView } from '@slack/types';
import { z } from 'zod';
import type { Environment } from '../../../lib/environment.ts';
import { InputError, withExample } from '../../../lib/errors.ts';
import { bare } from '../../../lib/fold.ts';
import { hashOf } from '../../../lib/text/hash.ts';
import { Payload, parseTypedObject } from '../../../lib/text/payload.ts';
import { ADVANCED_EXAMPLE, type FilledTrigger, planTrigger, type TriggerPlan } from '../../../sendings/plan.ts';
import { parseRecipients, type UnknownRecipients } from '../../../sendings/typed-recipients.ts';
import type { Workflow } from '../../../service/lists.ts';
import { context, divider, lineSections, type MessageBlock, type Option, option, section } from '../../kit/blocks.ts';
import { chosenEnvironment, type FormErrors, readForm } from '../../kit/filled-form.ts';
import { FormIntent } from '../../kit/in-modal.ts';
import {
  ENVIRONMENT,
  environmentInput,
  INPUT_TEXT,
  MOST_OPTIONS,
  searchInput,
  severalInput,
  textInput,
  typedConfirmInput,
} from '../../kit/inputs.ts';
import type { FilledView } from '../../kit/interaction.ts';
import { badge, code, listed, mrkdwn, plural, present } from '../../kit/text.ts';
import { type Form, formView } from '../../kit/views.ts';

export const TRIGGER = 'trigger.send';
/** The block's ID adds the environment's name to this prefix. */
export const WORKFLOW = 'trigger.workflow';
/** The ID adds environment and workflow: Slack shows a new template only in a new block. */
export const PAYLOAD = 'trigger.payload';
const RECIPIENTS = 'trigger.recipients';
const ADVANCED = 'trigger.advanced';

/** `again` is the button's value for the event that is sent again. */
export const KeptForm = FormIntent.extend({ again: z.string().nullable() });
export type KeptForm = z.output<typeof KeptForm>;

export interface TriggerForm {
  kept: KeptForm;
  environments: readonly Environment[];
  environment: Environment;
  workflow: Pick<Workflow, 'identifier' | 'name' | 'variables'> | null;
  /** The payload's block as it was drawn, to keep what was typed in it; without it, the block is a new one. */
  payloadBlock?: string | null;
  /** The texts that the fields are drawn with. Without a payload, it's the workflow's variables. */
  initial: { recipients: string; payload?: string; advanced: string };
  above?: Form['blocks'];
  /** The button's words; without them, they are of a form that wasn't checked yet. */
  submit?: string;
}

/** Slack keeps what was typed in blocks with the same IDs; Notif sends none of it back. */
export function triggerView(form: TriggerForm): ModalView {
  const { kept, environments, environment, workflow, above = [], initial } = form;
  const originals = 'Fields that stay as they are keep their originals, also masked ones (•••).';
  const text = (blockId: string, label: string, drawn: string, hint: string) =>
    textInput({ blockId, label, hint, initial: drawn, isOptional: blockId !== RECIPIENTS, isMultiline: true });
  const search = { blockId: `${WORKFLOW}:${environment.name}`, actionId: WORKFLOW, label: 'Workflow' };
  const chosen = workflow && workflowOption(workflow);
  return formView({
    callbackId: TRIGGER,
    title: kept.again === null ? 'Send a test' : 'Send again',
    submit: form.submit ?? (environment.isProtected ? 'Preview' : 'Send'),
    kept,
    blocks: [
      ...above,
      ...[...environmentInput(environments, environment), searchInput(search, chosen)].map((block) => ({
        ...block,
        dispatch_action: true,
      })),
      text(
        RECIPIENTS,
        'Recipients',
        initial.recipients,
        'Subscriber IDs, one per line, up to 100, also with a payload: user-1 {"orderId": "…"}. Several are previewed first.',
      ),
      text(
        form.payloadBlock ?? `${PAYLOAD}:${environment.name}:${workflow?.identifier ?? ''}`.slice(0, 255),
        'Payload',
        initial.payload ?? templateOf(workflow?.variables ?? []),
        `A JSON object, sent to all of them. ${kept.again === null ? 'Leave it empty for none.' : originals}`,
      ),
      text(
        ADVANCED,
        'Advanced',
        initial.advanced,
        `JSON with overrides, actor, tenant, context or profile: ${ADVANCED_EXAMPLE}`,
      ),
    ],
  });
}

/** A payload with the workflow's variables, to fill in. */
function templateOf(variables: readonly string[]): string {
  if (variables.length === 0) return '';
  const template = JSON.stringify(Object.fromEntries(variables.map((name) => [name, ''])), null, 2);
  // A part of one that is too long wouldn't be JSON.
  return template.length <= INPUT_TEXT ? template : '';
}

/** How a payload is shown in its field. Throws if it's too long. */
export function maskedText(payload: Payload): string {
  const text = payload.isEmpty ? '' : payload.masked('  ');
  if (text.length <= INPUT_TEXT) return text;
  const what = 'Its payload is too long to be sent again from Slack.';
  throw new InputError('event', what, null, 'Send it from your own code.');
}

function workflowOption({ identifier, name }: Pick<Workflow, 'identifier' | 'name'>) {
  return option(name === identifier ? identifier : `${identifier} · ${name}`, identifier);
}

/** Notif knows only workflows of recent events. */
export function workflowOptions(known: readonly Workflow[], typed: string): Option[] {
  const word = bare(typed);
  const isKnown = word === '' || known.some(({ identifier }) => identifier === word);
  const options = known.map(workflowOption).slice(0, MOST_OPTIONS - 1);
  return present([...options, !isKnown && option(`Use “${word}”`, word)]);
}

type Filled = Omit<FilledView, 'privateMetadata'>;

/** The ID of a form's block, of which only the beginning is known. */
export function blockOf(prefix: string, { blockIds }: Filled): string {
  return blockIds.find((blockId) => blockId.startsWith(`${prefix}:`)) ?? prefix;
}

/** What to draw the form again with, so that Slack keeps what was typed. `payloadBlock` is null where the payload's field shall be a new one. */
export function fieldsAsDrawn(
  { initialIn }: Filled,
  payloadBlock: string | null,
): Pick<TriggerForm, 'payloadBlock' | 'initial'> {
  const drawn = (blockId: string) => initialIn(blockId) ?? '';
  const payload = payloadBlock && { payload: drawn(payloadBlock) };
  return { payloadBlock, initial: { recipients: drawn(RECIPIENTS), ...payload, advanced: drawn(ADVANCED) } };
}

/** The payload's block if its text is kept when another workflow is chosen: an untouched template isn't. */
export function blockToKeep(view: Filled, { again }: KeptForm): string | null {
  const block = blockOf(PAYLOAD, view);
  return again === null && view.valueIn(block) === view.initialIn(block) ? null : block;
}

/** The ID changes with any field, so that a preview counts only for what it showed. */
export function confirmBlockOf(view: Filled, { intent }: KeptForm): string {
  const blocks = [ENVIRONMENT, blockOf(WORKFLOW, view), RECIPIENTS, blockOf(PAYLOAD, view), ADVANCED];
  const filled = JSON.stringify([intent, blocks.map(view.valueIn)]);
  return `trigger.confirm:${hashOf(filled, 64)}`;
}

type ParsedTrigger = { is: 'invalid'; errors: FormErrors } | { is: 'valid'; filled: FilledTrigger; plan: TriggerPlan };

export function parseTrigger(view: Filled, environments: readonly Environment[]): ParsedTrigger {
  const { field, errors, hasErrors } = readForm(view);
  const object = (blockId: string, name: string, example: string) =>
    field(blockId, (text) => parseTypedObject(name, text, example), new Payload({}));
  const filled = {
    environment: chosenEnvironment(view, environments).name,
    workflow: view.valueIn(blockOf(WORKFLOW, view)) ?? '',
    recipients: field(RECIPIENTS, parseRecipients, []),
    payload: object(blockOf(PAYLOAD, view), 'payload', '{"orderId": "A-17"}'),
    advanced: object(ADVANCED, 'advanced', ADVANCED_EXAMPLE),
  };
  try {
    const plan = planTrigger(filled);
    return hasErrors() ? { is: 'invalid', errors } : { is: 'valid', filled, plan };
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    const field = error.field === 'subscribers' ? RECIPIENTS : ADVANCED;
    return { is: 'invalid', errors: { ...errors, [field]: withExample(error) } };
  }
}

/** The preview comes first, focused: people must not send what they haven't seen. */
export function previewBlocks(
  advanced: Payload,
  { events, workflow }: TriggerPlan,
  environment: Environment,
  { blockId, unknown, unchecked }: UnknownRecipients & { blockId: string },
): MessageBlock[] {
  const label = `Preview · ${plural(events.length, 'event')} of ${workflow} in ${environment.label}`;
  const yes = { value: 'yes', label: events.length === 1 ? 'Yes, send it' : 'Yes, send them' };
  const confirm = { blockId, label, hint: 'Nothing was sent yet.', isFocused: true };
  const profile = events[0]?.profile ?? null;
  const rows = events.map(({ subscriberId, payload }, index) => {
    return mrkdwn`${index + 1}. ${code(subscriberId)} ${payload.isEmpty ? 'no payload' : maskedJson(payload)}`;
  });
  return present<MessageBlock>([
    environment.isProtected
      ? typedConfirmInput(environment, blockId, label)
      : severalInput('checkboxes', confirm, [yes]),
    section(listed(rows, '\n')),
    ...lineSections([
      !advanced.isEmpty && mrkdwn`Advanced ${maskedJson(advanced)}`,
      unknownLine(unknown, environment),
      uncheckedLine(unchecked, environment),
      profile && mrkdwn`⚠️ This updates the subscriber at the service: ${maskedJson(profile)}`,
    ]),
    context('Change anything below to see the preview again.'),
    divider(),
  ]);
}

function unknownLine(unknown: readonly string[], environment: Environment) {
  if (unknown.length === 0) return null;
  const who = listed(unknown.map((id) => code(id)));
  const created = unknown.length === 1 ? 'that subscriber' : 'those subscribers';
  return mrkdwn`⚠️ ${badge(environment)} doesn't know ${who}. Sending this creates ${created}.`;
}

function uncheckedLine(unchecked: readonly string[], environment: Environment) {
  if (unchecked.length === 0) return null;
  const who = listed(unchecked.map((id) => code(id)));
  return mrkdwn`⚠️ Notif can't check whether ${badge(environment)} knows ${who}, as its messages can't be read now. Sending this creates whom it doesn't know.`;
}

/** The person who typed the values may share their screen. */
function maskedJson(payload: Payload) {
  return code(payload.masked(' ').replace(/\n\s*/g, ' '), 250);
}
