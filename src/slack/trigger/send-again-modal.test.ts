import type { ModalView } from '@slack/types';
import { describe, expect, test } from 'vitest';
import { aJob, anEvent } from '../../domain/service/event.testing.ts';
import { Payload } from '../../domain/text/payload.ts';
import { expectView, fieldsIn, PRODUCTION, wordsOf } from '../slack.testing.ts';
import {
  type FilledEdits,
  parseEdits,
  parseSendAgainForm,
  repeated,
  sendAgainView,
  whyNotAgain,
} from './send-again-modal.ts';

describe('the form for sending again', () => {
  const request = { environment: 'production', target: { kind: 'event', id: '65f000000000000000000001' } } as const;
  const again = {
    intent: 'intent-1',
    answerUrl: null,
    channel: 'C0GENERAL',
    request,
    environment: PRODUCTION,
    event: anEvent(),
    delivered: [],
  };

  test('shows what is sent to whom, masked, and what is not carried over', () => {
    const words = wordsOf(sendAgainView(again));
    expect(words).toContain('Send order-shipped to user-1 again in production');
    expect(words).toContain("Not carried over: actor, tenant and attachments. The service doesn't return them.");
    const view = sendAgainView({ ...again, event: TENANTS });
    expectView(view);
    const whole = JSON.stringify(view);
    for (const shown of ['A-17', 'sendgrid', 'acme']) expect(whole).toContain(shown);
    expect(whole).not.toContain('secret-value-1');
  });

  test("names overrides that differ between steps, and context that a trigger can't carry", () => {
    const jobs = [aJob({ overrides: new Payload({ ses: 1 }) }), aJob({ overrides: new Payload({ ses: 2 }) })];
    const event = anEvent({ jobs, contextKeys: ['tenant:acme', 'tenant:other'] });
    const words = wordsOf(sendAgainView({ ...again, event }));
    expect(words).toContain("Overrides that differ between steps (the first step's are sent): ses.");
    expect(words).toContain("Context that a trigger can't carry: tenant:other.");
  });

  test('names the channels that were delivered, which are sent once more', () => {
    const delivered = [
      { channel: 'email', provider: 'sendgrid' },
      { channel: 'in_app', provider: null },
    ];
    const words = wordsOf(sendAgainView({ ...again, delivered }));
    expect(words).toContain('Already delivered, and delivered once more by this: Email · SendGrid, In-app.');
    expect(wordsOf(sendAgainView(again))).not.toContain('Already delivered');
  });

  test('warns of numbers that would be sent rounded, in the payload or in overrides', () => {
    const warning = 'The original has a number that is too long to be sent exactly.';
    const long = new Payload(JSON.parse('{"order": {"ids": [1, 9007199254740993]}}'));
    const wordsWith = (event: ReturnType<typeof anEvent>) => wordsOf(sendAgainView({ ...again, event }));
    expect(wordsWith(anEvent({ payload: long }))).toContain(warning);
    expect(wordsWith(anEvent({ jobs: [aJob({ overrides: long })] }))).toContain(warning);
    const exact = new Payload({ id: Number.MAX_SAFE_INTEGER, price: 0.1, text: '9007199254740993' });
    expect(wordsWith(anEvent({ payload: exact }))).not.toContain(warning);
  });

  test("asks for a protected environment's name", () => {
    const environment = { ...PRODUCTION, isProtected: true };
    const form = sendAgainView({ ...again, environment });
    expect(Object.keys(fieldsIn(form))).toEqual(['Payload', 'Advanced', 'Type production to confirm']);
  });

  test('keeps its target', () => {
    const view = sendAgainView(again);
    expect(parseSendAgainForm(view.private_metadata ?? '')).toEqual({
      intent: 'intent-1',
      answerUrl: null,
      channel: 'C0GENERAL',
      request,
    });
  });

  /** Returns a form with these values, drawn with `shown`. */
  const answers = (values: Record<string, string>, shown: Record<string, string> = {}): FilledEdits => ({
    blockIds: Object.keys(values),
    valueIn: (blockId) => values[blockId] ?? null,
    valuesIn: (blockId) => [values[blockId] ?? []].flat(),
    initialIn: (blockId) => shown[blockId] ?? null,
  });

  const submitted = (view: ModalView, payload: string, advanced: string) => {
    const initial = (blockId: string) => fieldInitial(view, blockId);
    const values: Record<string, string> = { 'trigger.new-payload': payload, 'trigger.new-advanced': advanced };
    const read = parseEdits({ ...answers(values), initialIn: initial });
    if ('errors' in read) throw new Error(JSON.stringify(read.errors));
    return read.edits;
  };
  const initialOf = (view: ModalView) =>
    ['trigger.new-payload', 'trigger.new-advanced'].map((blockId) => fieldInitial(view, blockId) ?? '');

  test('sends the original where nothing was edited, with its overrides and context', () => {
    const view = sendAgainView({ ...again, event: TENANTS });
    const [payload = '', advanced = ''] = initialOf(view);
    const { events, options, workflow } = repeated(TENANTS, submitted(view, payload, advanced));
    expect(events[0]?.payload.forTrigger()).toEqual({ orderId: 'A-17', token: 'secret-value-1' });
    expect(options.overrides?.forTrigger()).toEqual({ sendgrid: { templateId: 'd-17' } });
    expect(options).toMatchObject({ context: { tenant: 'acme' }, actor: null, tenant: null });
    expect(workflow).toBe('order-shipped');
  });

  test('sends edits, with the originals of masked values', () => {
    const view = sendAgainView({ ...again, event: TENANTS });
    const payload = JSON.stringify({ ...TENANTS.payload.masked(), orderId: 'B-18' });
    const { events, options } = repeated(TENANTS, submitted(view, payload, '{"actor": "user-7"}'));
    expect(events[0]?.payload.forTrigger()).toEqual({ orderId: 'B-18', token: 'secret-value-1' });
    expect(options).toEqual({ overrides: null, context: null, actor: 'user-7', tenant: null });
  });

  test('sends what is too long to edit as it was, unless something else is typed', () => {
    const event = anEvent({ payload: new Payload({ items: Array.from({ length: 400 }, (_, n) => `item ${n}`) }) });
    const view = sendAgainView({ ...again, event });
    expectView(view);
    expect(wordsOf(view)).toContain('The original is too long to edit here: leave this empty to send it.');
    const sent = (typed: string) => repeated(event, submitted(view, typed, '')).events[0]?.payload.forTrigger();
    expect(sent('')).toEqual(event.payload.forTrigger());
    expect(sent('{"text": "short"}')).toEqual({ text: 'short' });
  });

  test('refuses, under its field, no JSON, an unknown part, and a masked value that was moved', () => {
    const shown = { 'trigger.new-payload': '{"token": "•••ue-1"}' };
    const errorsOf = (values: Record<string, string>) => parseEdits(answers(values, shown));
    expect(errorsOf({ 'trigger.new-payload': '[]', 'trigger.new-advanced': '{"x": 1}' })).toEqual({
      errors: {
        'trigger.new-payload': expect.stringContaining('The payload must be a JSON object.'),
        'trigger.new-advanced': expect.stringContaining('Only these can stand here'),
      },
    });
    expect(errorsOf({ 'trigger.new-payload': '{"other": "•••ue-1"}' })).toEqual({
      errors: { 'trigger.new-payload': expect.stringContaining('A masked value (•••) was moved.') },
    });
  });

  test("isn't available for an event without a subscriber or a workflow", () => {
    expect(whyNotAgain(anEvent())).toBeNull();
    expect(whyNotAgain(anEvent({ subscriber: null }))).toContain('no subscriber');
    expect(whyNotAgain(anEvent({ workflow: null }))).toContain('deleted');
  });
});

function fieldInitial({ blocks }: ModalView, blockId: string): string | null {
  const field = blocks.find((block) => block.block_id === blockId);
  if (field === undefined || !('element' in field)) return null;
  return field.element.type === 'plain_text_input' ? (field.element.initial_value ?? '') : null;
}

/** An event of a tenant, with overrides for its steps. */
const TENANTS = anEvent({
  payload: new Payload({ orderId: 'A-17', token: 'secret-value-1' }),
  contextKeys: ['tenant:acme'],
  jobs: [aJob({ overrides: new Payload({ sendgrid: { templateId: 'd-17' } }) })],
});
