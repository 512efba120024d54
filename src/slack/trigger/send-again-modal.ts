import type { InputBlock, KnownBlock, ModalView } from '@slack/types';
import { z } from 'zod';
import type { Environment } from '../../domain/environment.ts';
import { InputError } from '../../domain/errors.ts';
import type { Delivered } from '../../domain/failures/successes.ts';
import type { TriggeredEvent } from '../../domain/service/event.ts';
import type { TriggerOptions } from '../../domain/service/query.ts';
import { Payload } from '../../domain/text/payload.ts';
import { type CarriedOver, carriedOver } from '../../domain/triggers/carried-over.ts';
import { parseOverrides, parsePayload, payloadTemplate } from '../../domain/triggers/trigger-input.ts';
import { NO_OPTIONS, type PlannedEvent } from '../../domain/triggers/trigger-plan.ts';
import { badge } from '../blocks/badge.ts';
import { context, section } from '../blocks/blocks.ts';
import { type LookupRequest, parseLookup, writeLookup } from '../blocks/buttons/lookup-button.ts';
import { channelVia } from '../blocks/incident/channel-name.ts';
import type { FilledForm, FormErrors } from '../blocks/inputs/filled-form.ts';
import { radioInput, textInput } from '../blocks/inputs/inputs.ts';
import { typedConfirmInput } from '../blocks/inputs/typed-confirm-input.ts';
import { INPUT_TEXT } from '../blocks/limits.ts';
import { code, joined, type Markup, mrkdwn, named } from '../blocks/text.ts';
import { formView } from '../blocks/view.ts';
import { type OptionBlocks, parseField, parseOptionFields, referenceInputs } from './filled-modal.ts';
import { type FormIntent, parseIntent, writeIntent } from './intent-modal.ts';

export const SEND_AGAIN_FORM = 'trigger.send-again';
/** The choice between the payloads. Slack sends it to Notif at once. */
export const PAYLOAD_CHOICE = 'trigger.payload-choice';
const NEW_PAYLOAD = 'trigger.new-payload';
const NEW_OPTIONS: OptionBlocks = {
  overrides: 'trigger.new-overrides',
  context: 'trigger.new-context',
  actor: 'trigger.new-actor',
  tenant: 'trigger.new-tenant',
};

export const SEND_AGAIN_TITLE = 'Send again';

export interface SendAgainForm extends FormIntent {
  readonly request: LookupRequest;
  readonly environment: Environment;
  readonly event: TriggeredEvent;
  readonly payload: 'as-it-was' | 'new';
  /** The channels that already delivered it: the whole event is sent again. */
  readonly delivered: readonly Pick<Delivered, 'channel' | 'provider'>[];
}

/** Builds the form for sending an event again to its one subscriber. */
export function sendAgainView(form: SendAgainForm): ModalView {
  const { environment, event } = form;
  const what = mrkdwn`Send *${event.workflow?.identifier ?? '–'}* to ${code(event.subscriber?.subscriberId ?? '')} again in ${badge(environment)}`;
  return formView({
    callbackId: SEND_AGAIN_FORM,
    title: SEND_AGAIN_TITLE,
    submit: 'Send',
    privateMetadata: JSON.stringify({ form: writeIntent(form), lookup: writeLookup(form.request) }),
    blocks: [
      section(what),
      ...deliveredBefore(form.delivered),
      ...roundedNumbers(event),
      choice(form.payload),
      ...(form.payload === 'new' ? editInputs(event) : []),
      context(...carriedLines(event)),
      ...typedConfirmInput(environment),
    ],
  });
}

/** Warns that the service runs all steps of a workflow again. */
function deliveredBefore(delivered: SendAgainForm['delivered']): KnownBlock[] {
  if (delivered.length === 0) return [];
  const channels = [...new Set(delivered.map(({ channel, provider }) => channelVia(channel, provider)))];
  const names = channels.slice(0, MOST_NAMED).map((channel) => mrkdwn`*${named(channel)}*`);
  return [section(mrkdwn`⚠️ Already delivered, and delivered once more by this: ${joined(names, ', ')}.`)];
}

/** Warns that JavaScript's numbers don't hold all that JSON's do: the event was read with other ones than were sent. */
function roundedNumbers(event: TriggeredEvent): KnownBlock[] {
  const mayBeRounded = event.payload.mayBeRounded || carriedOver(event).overrides?.mayBeRounded === true;
  if (!mayBeRounded) return [];
  return [
    section(
      mrkdwn`⚠️ The original has a number that is too long to be sent exactly. Edit it before sending, in quotes.`,
    ),
  ];
}

function choice(chosen: SendAgainForm['payload']): InputBlock {
  const choices = [
    { label: 'Original payload, overrides and context', value: 'as-it-was' },
    { label: 'Edit before sending', value: 'new' },
  ];
  return { ...radioInput({ blockId: PAYLOAD_CHOICE, label: 'What to send' }, choices, chosen), dispatch_action: true };
}

/** Lists what is included, by name, and the parts of a trigger that the service doesn't return (contract, "Activity notification"). */
function carriedLines(event: TriggeredEvent): Markup[] {
  const { overrides, context: contexts, differing, unfit } = carriedOver(event);
  const names = (of: readonly string[]) =>
    joined(
      of.slice(0, MOST_NAMED).map((name) => code(name)),
      ', ',
    );
  const pairs = Object.entries(contexts ?? {}).map(([type, id]) => `${type}:${id}`);
  const line = (label: string, of: readonly string[]) => (of.length === 0 ? [] : [mrkdwn`${label}: ${names(of)}.`]);
  return [
    ...line('Overrides', overrides?.fields ?? []),
    ...line('Context', pairs),
    mrkdwn`Not carried over: actor, tenant and attachments. The service doesn't return them.`,
    ...line("Overrides that differ between steps (the first step's are sent)", differing),
    ...line("Context that a trigger can't carry", unfit),
  ];
}

const MOST_NAMED = 10;

function editInputs(event: TriggeredEvent): InputBlock[] {
  const { overrides, context: contexts } = carriedOver(event);
  const contextText = contextLines(contexts);
  const optional = (blockId: string, label: string, hint: string, initial: string | null) =>
    textInput({ blockId, label, hint, initial: initial ?? '', isMultiline: true, isOptional: true });
  const payloadText = payloadShown(event);
  const overridesText = overrides === null ? '' : editable(overrides);
  return [
    optional(NEW_PAYLOAD, 'Payload', hintFor('A JSON object.', payloadText), payloadText),
    optional(
      NEW_OPTIONS.overrides,
      'Overrides',
      hintFor('A JSON object with provider IDs as keys.', overridesText),
      overridesText,
    ),
    optional(
      NEW_OPTIONS.context,
      'Context',
      contextText === null ? `${CONTEXT_HINT} ${TOO_LONG}` : CONTEXT_HINT,
      contextText,
    ),
    ...referenceInputs(NEW_OPTIONS),
  ];
}

const CONTEXT_HINT = 'One name:value per line: region:eu';
const TOO_LONG = 'The original is too long to edit here: leave this empty to send it.';

function hintFor(hint: string, shown: string | null): string {
  return shown === null
    ? `${hint} ${TOO_LONG}`
    : `${hint} A masked value (•••) that you leave as it is keeps its original.`;
}

/** Returns a context to edit, one value a line. Null if a form field can't hold it. */
function contextLines(contexts: CarriedOver['context']): string | null {
  const text = Object.entries(contexts ?? {})
    .map(([type, id]) => `${type}:${id}`)
    .join('\n');
  return text.length <= INPUT_TEXT ? text : null;
}

function payloadShown({ workflow, payload }: TriggeredEvent): string | null {
  return payload.isEmpty ? payloadTemplate(workflow?.variables ?? [], INPUT_TEXT) : editable(payload);
}

/** Returns a masked copy to edit. Null if a form field can't hold it. */
function editable(payload: Payload): string | null {
  const text = JSON.stringify(payload.masked(), null, 2);
  return text.length <= INPUT_TEXT ? text : null;
}

const Metadata = z.object({ form: z.string(), lookup: z.string() });

/** Parses what the form keeps. Throws unless it's of this version. */
export function parseSendAgainForm(privateMetadata: string): FormIntent & { readonly request: LookupRequest } {
  const { form, lookup } = Metadata.parse(JSON.parse(privateMetadata));
  const request = parseLookup(lookup);
  if (request === null) throw new InputError('form', 'This form is from an older version of Notif: open it again.');
  return { ...parseIntent(form), request };
}

export function parsePayloadChoice(value: string): SendAgainForm['payload'] | null {
  return value === 'as-it-was' || value === 'new' ? value : null;
}

/** A person's edits. Null means unchanged. */
export interface Edits {
  readonly payload: Payload;
  readonly options: TriggerOptions;
}

/** What is filled in, and the initial content of the fields. */
export type FilledEdits = FilledForm & { initialIn(blockId: string): string | null };

/**
 * Parses the edited fields. Returns what is wrong with them, by block: a missing choice, chosen fields that were never drawn, a masked
 * value that was moved.
 */
export function parseEdits(filled: FilledEdits): { readonly edits: Edits | null } | { readonly errors: FormErrors } {
  const choice = parsePayloadChoice(filled.valueIn(PAYLOAD_CHOICE) ?? '');
  if (choice === null) return { errors: { [PAYLOAD_CHOICE]: 'Choose what to send.' } };
  if (choice === 'as-it-was') return { edits: null };
  if (!filled.blockIds.includes(NEW_PAYLOAD)) {
    return {
      errors: { [PAYLOAD_CHOICE]: 'The fields to edit are missing. Choose the other option, then this one again.' },
    };
  }
  const errors: Record<string, string> = {};
  const edits = {
    payload: parseField(NEW_PAYLOAD, filled, {
      read: (text) => unmoved(parsePayload(text), NEW_PAYLOAD, filled),
      instead: new Payload({}),
      errors,
    }),
    options: parseOptionFields(NEW_OPTIONS, filled, errors, (text) =>
      unmoved(parseOverrides(text), NEW_OPTIONS.overrides, filled),
    ),
  };
  return Object.keys(errors).length > 0 ? { errors } : { edits };
}

/** Returns what was typed over the masked copy in a field. Throws `InputError` if a masked value was moved. */
function unmoved<Typed extends Payload | null>(typed: Typed, blockId: string, { initialIn }: FilledEdits): Typed {
  const shown = initialIn(blockId);
  if (typed !== null && shown !== null) typed.refuseMovedMasks(parsePayload(shown));
  return typed;
}

/**
 * Returns what to send: the event's own values or, if edited, the edits over them. Throws `InputError` for a masked value that was moved.
 */
export function repeated(
  event: TriggeredEvent,
  edits: Edits | null,
): { readonly again: PlannedEvent; readonly options: TriggerOptions } {
  const original = carriedOver(event);
  const again = { subscriberId: event.subscriber?.subscriberId ?? '', payload: event.payload, profile: null };
  if (edits === null) {
    return { again, options: { ...NO_OPTIONS, overrides: original.overrides, context: original.context } };
  }
  const payload =
    edits.payload.isEmpty && payloadShown(event) === null ? event.payload : event.payload.edited(edits.payload);
  const options = {
    ...edits.options,
    overrides: editedOverrides(original, edits),
    context: editedContext(original, edits),
  };
  return { again: { ...again, payload }, options };
}

function editedContext({ context: original }: CarriedOver, { options: { context } }: Edits): TriggerOptions['context'] {
  return context === null && contextLines(original) === null ? original : context;
}

function editedOverrides({ overrides: original }: CarriedOver, { options: { overrides } }: Edits): Payload | null {
  if (original === null) return overrides;
  if (overrides === null) return editable(original) === null ? original : null;
  return original.edited(overrides);
}

/** Returns why an event can't be sent again. Null if it can. */
export function whyNotAgain(event: TriggeredEvent): string | null {
  if (event.subscriber === null) return "It names no subscriber, so there's nobody to send it to.";
  if (event.workflow === null) return 'Its workflow was deleted, so there is nothing to send.';
  return null;
}
