import type { InputBlock, ModalView } from '@slack/types';
import { z } from 'zod';
import type { Environment } from '../../domain/environment.ts';
import { InputError, withExample } from '../../domain/errors.ts';
import type { TriggeredEvent } from '../../domain/event.ts';
import type { Payload } from '../../domain/payload.ts';
import { payloadTemplate, readPayload } from '../../domain/trigger-input.ts';
import { badge } from '../blocks/badge.ts';
import { context, section } from '../blocks/blocks.ts';
import { confirmInput } from '../blocks/confirm-input.ts';
import { textInput } from '../blocks/inputs.ts';
import { OPTION_TEXT } from '../blocks/limits.ts';
import { type LookupRequest, readLookup, writeLookup } from '../blocks/lookup-button.ts';
import { code, mrkdwn, plain } from '../blocks/text.ts';
import { formView } from '../blocks/view.ts';
import { type FormIntent, readIntent, writeIntent } from './intent-modal.ts';

export const SEND_AGAIN_FORM = 'trigger.send-again';
/** The choice between the payloads; Notif hears of it at once. */
export const PAYLOAD_CHOICE = 'trigger.payload-choice';
const NEW_PAYLOAD = 'trigger.new-payload';

export const SEND_AGAIN_TITLE = 'Send again';

export interface SendAgainForm extends FormIntent {
  readonly request: LookupRequest;
  readonly environment: Environment;
  readonly event: TriggeredEvent;
  readonly payload: 'as-it-was' | 'new';
}

/** The form for sending an event again, to its one subscriber. */
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
      choice(form.payload),
      ...(form.payload === 'new' ? [newPayload(event)] : []),
      context(
        mrkdwn`What can not be restored: actor, tenant, overrides, attachments and context of the first trigger.`,
      ),
      ...confirmInput(environment),
    ],
  });
}

function choice(chosen: SendAgainForm['payload']): InputBlock {
  const asItWas = { text: plain('The payload as it was', OPTION_TEXT), value: 'as-it-was' };
  const anew = { text: plain('A new payload', OPTION_TEXT), value: 'new' };
  return {
    type: 'input',
    block_id: PAYLOAD_CHOICE,
    label: plain('What to send', OPTION_TEXT),
    dispatch_action: true,
    element: {
      type: 'radio_buttons',
      action_id: PAYLOAD_CHOICE,
      options: [asItWas, anew],
      initial_option: chosen === 'new' ? anew : asItWas,
    },
  };
}

function newPayload({ workflow, payload }: TriggeredEvent): InputBlock {
  const declared = workflow?.variables ?? [];
  return textInput({
    blockId: NEW_PAYLOAD,
    label: 'Payload',
    hint: 'A JSON object.',
    isMultiline: true,
    initial: payloadTemplate(declared.length > 0 ? declared : payload.fields),
  });
}

const Metadata = z.object({ form: z.string(), lookup: z.string() });

/** What the form keeps; throws where it is not one of this version. */
export function readSendAgainForm(privateMetadata: string): FormIntent & { readonly request: LookupRequest } {
  const { form, lookup } = Metadata.parse(JSON.parse(privateMetadata));
  const request = readLookup(lookup);
  if (request === null) throw new InputError('form', 'This form is from an older version of Notif: open it again.');
  return { ...readIntent(form), request };
}

export function readPayloadChoice(value: string): SendAgainForm['payload'] | null {
  return value === 'as-it-was' || value === 'new' ? value : null;
}

/** A new payload, null for the payload as it was, or what is wrong, by block. */
export function readNewPayload(
  valueIn: (blockId: string) => string | null,
): { readonly payload: Payload | null } | { readonly errors: { readonly [blockId: string]: string } } {
  if (valueIn(PAYLOAD_CHOICE) !== 'new') return { payload: null };
  try {
    return { payload: readPayload(valueIn(NEW_PAYLOAD) ?? '') };
  } catch (error) {
    if (error instanceof InputError) return { errors: { [NEW_PAYLOAD]: withExample(error) } };
    throw error;
  }
}

/** Why an event can't be sent again; null where it can. */
export function whyNotAgain(event: TriggeredEvent): string | null {
  if (event.subscriber === null) return 'It names no subscriber, so there is nobody to send it to.';
  if (event.workflow === null) return 'Its workflow was deleted, so there is nothing to send.';
  return null;
}
