import type { InputBlock, ModalView } from '@slack/types';
import { z } from 'zod';
import type { Environment } from '../../domain/environment.ts';
import { InputError } from '../../domain/errors.ts';
import type { Delivered } from '../../domain/failures/successes.ts';
import type { TriggeredEvent } from '../../domain/service/event.ts';
import { Payload } from '../../domain/text/payload.ts';
import { readAdvanced } from '../../domain/triggers/advanced.ts';
import { carriedOver } from '../../domain/triggers/carried-over.ts';
import type { TriggerPlan } from '../../domain/triggers/trigger-plan.ts';
import { parseTypedObject } from '../../domain/triggers/typed-json.ts';
import { badge } from '../blocks/badge.ts';
import { alert, context, type MessageBlock, section } from '../blocks/blocks.ts';
import { type LookupRequest, parseLookup, writeLookup } from '../blocks/buttons/lookup-button.ts';
import { channelVia } from '../blocks/incident/channel-name.ts';
import type { FilledForm, FormErrors } from '../blocks/inputs/filled-form.ts';
import { textInput } from '../blocks/inputs/inputs.ts';
import { parseField } from '../blocks/inputs/parse-field.ts';
import { typedConfirmInput } from '../blocks/inputs/typed-confirm-input.ts';
import { INPUT_TEXT } from '../blocks/limits.ts';
import { code, joined, type Markup, mrkdwn, named } from '../blocks/text.ts';
import { formView } from '../blocks/view.ts';
import { type FormIntent, parseIntent, writeIntent } from './intent-modal.ts';
import { parsePayload } from './read-modal.ts';

export const SEND_AGAIN_FORM = 'trigger.send-again';
export const SEND_AGAIN_TITLE = 'Send again';
const NEW_PAYLOAD = 'trigger.new-payload';
const NEW_ADVANCED = 'trigger.new-advanced';

export interface SendAgainForm extends FormIntent {
  readonly request: LookupRequest;
  readonly environment: Environment;
  readonly event: TriggeredEvent;
  /** The channels that already delivered it: the whole event is sent again. */
  readonly delivered: readonly Pick<Delivered, 'channel' | 'provider'>[];
}

/** Builds the form for sending an event again to its one subscriber: as it was, unless its fields are edited. */
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
      ...warnings(form),
      field(NEW_PAYLOAD, 'Payload', event.payload),
      field(NEW_ADVANCED, 'Advanced', advancedOf(event)),
      context(...notCarriedOver(event)),
      ...typedConfirmInput(environment),
    ],
  });
}

/** Warns that the service runs all steps again, and that JavaScript's numbers don't hold all that JSON's do. */
function warnings({ event, delivered }: SendAgainForm): MessageBlock[] {
  const channels = [...new Set(delivered.map(({ channel, provider }) => channelVia(channel, provider)))];
  const names = channels.slice(0, MOST_NAMED).map((channel) => mrkdwn`*${named(channel)}*`);
  const isRounded = event.payload.mayBeRounded || advancedOf(event).mayBeRounded;
  return [
    ...(names.length === 0
      ? []
      : [alert('warning', mrkdwn`Already delivered, and delivered once more by this: ${joined(names, ', ')}.`)]),
    ...(isRounded
      ? [alert('warning', mrkdwn`The original has a number that is too long to be sent exactly. Put it in quotes.`)]
      : []),
  ];
}

const MOST_NAMED = 10;

/** A masked copy to edit. Empty if a field of Slack's can't hold it. */
function field(blockId: string, label: string, original: Payload): InputBlock {
  const shown = editable(original);
  const hint =
    shown === null
      ? 'The original is too long to edit here: leave this empty to send it.'
      : 'A masked value (•••) that you leave as it is keeps its original.';
  return textInput({ blockId, label, hint, initial: shown ?? '', isMultiline: true, isOptional: true });
}

/** Null if a form field can't hold it. */
function editable(payload: Payload): string | null {
  const text = payload.isEmpty ? '' : JSON.stringify(payload.masked(), null, 2);
  return text.length <= INPUT_TEXT ? text : null;
}

function advancedOf(event: TriggeredEvent): Payload {
  const { overrides, context: contexts } = carriedOver(event);
  return new Payload({
    ...(overrides !== null && { overrides: overrides.forTrigger() }),
    ...(contexts !== null && { context: contexts }),
  });
}

/** Lists the parts of a trigger that the service doesn't return (contract, "Activity notification"). */
function notCarriedOver(event: TriggeredEvent): Markup[] {
  const { differing, unfit } = carriedOver(event);
  const line = (label: string, names: readonly string[]) =>
    names.length === 0
      ? []
      : [
          mrkdwn`${label}: ${joined(
            names.slice(0, MOST_NAMED).map((name) => code(name)),
            ', ',
          )}.`,
        ];
  return [
    mrkdwn`Not carried over: actor, tenant and attachments. The service doesn't return them.`,
    ...line("Overrides that differ between steps (the first step's are sent)", differing),
    ...line("Context that a trigger can't carry", unfit),
  ];
}

const Metadata = z.object({ form: z.string(), lookup: z.string() });

/** Parses what the form keeps. Throws unless it's of this version. */
export function parseSendAgainForm(privateMetadata: string): FormIntent & { readonly request: LookupRequest } {
  const { form, lookup } = Metadata.parse(JSON.parse(privateMetadata));
  const request = parseLookup(lookup);
  if (request === null) throw new InputError('form', 'This form is from an older version of Notif: open it again.');
  return { ...parseIntent(form), request };
}

/** What the fields hold when the form is submitted. */
export interface Edits {
  readonly payload: Payload;
  readonly advanced: Payload;
}

export type FilledEdits = FilledForm & { initialIn(blockId: string): string | null };

/** Parses the fields. Returns what is wrong with them, by block: no JSON, an unknown part, a masked value that was moved. */
export function parseEdits(filled: FilledEdits): { readonly edits: Edits } | { readonly errors: FormErrors } {
  const errors: Record<string, string> = {};
  const parse = (blockId: string, read: (text: string) => Payload): Payload =>
    parseField(blockId, filled, {
      read: (text) => {
        const typed = read(text);
        typed.refuseMovedMasks(parsePayload(filled.initialIn(blockId) ?? ''));
        return typed;
      },
      instead: new Payload({}),
      errors,
    });
  const edits = {
    payload: parse(NEW_PAYLOAD, parsePayload),
    advanced: parse(NEW_ADVANCED, (text) => {
      const typed = parseTypedObject('advanced', text, '{"actor": "user-2"}');
      readAdvanced(typed, 1);
      return new Payload(typed);
    }),
  };
  return Object.keys(errors).length > 0 ? { errors } : { edits };
}

/** Returns what to send: the event's own values with the edits over them. Throws `InputError` for a masked value that was moved. */
export function repeated(event: TriggeredEvent, { payload, advanced }: Edits): Omit<TriggerPlan, 'environment'> {
  const { options, transactionId, profile } = readAdvanced(over(advancedOf(event), advanced).forTrigger(), 1);
  return {
    workflow: event.workflow?.identifier ?? '',
    events: [{ subscriberId: event.subscriber?.subscriberId ?? '', payload: over(event.payload, payload), profile }],
    options,
    transactionId,
  };
}

function over(original: Payload, typed: Payload): Payload {
  return typed.isEmpty && editable(original) === null ? original : original.edited(typed);
}

/** Returns why an event can't be sent again. Null if it can. */
export function whyNotAgain(event: TriggeredEvent): string | null {
  if (event.subscriber === null) return "It names no subscriber, so there's nobody to send it to.";
  if (event.workflow === null) return 'Its workflow was deleted, so there is nothing to send.';
  return null;
}
