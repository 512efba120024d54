import { describe, expect, test } from 'vitest';
import { aJob, anEvent, aWorkflow } from '../../domain/service/event.testing.ts';
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

  test('shows what is sent to whom, what is included and what is not carried over', () => {
    const words = wordsOf(sendAgainView({ ...again, payload: 'as-it-was' }));
    expect(words).toContain('Send order-shipped to user-1 again in production');
    expect(words).toContain("Not carried over: actor, tenant and attachments. The service doesn't return them.");
    const whole = wordsOf(sendAgainView({ ...again, event: TENANTS, payload: 'as-it-was' }));
    expect(whole).toContain('Overrides: sendgrid');
    expect(whole).toContain('Context: tenant:acme');
    expect(whole).not.toContain("that a trigger can't carry");
  });

  test("names overrides that differ between steps, and context that a trigger can't carry", () => {
    const jobs = [aJob({ overrides: new Payload({ ses: 1 }) }), aJob({ overrides: new Payload({ ses: 2 }) })];
    const event = anEvent({ jobs, contextKeys: ['tenant:acme', 'tenant:other'] });
    const words = wordsOf(sendAgainView({ ...again, event, payload: 'as-it-was' }));
    expect(words).toContain("Overrides that differ between steps (the first step's are sent): ses.");
    expect(words).toContain("Context that a trigger can't carry: tenant:other.");
  });

  test('names the channels that were delivered, which are sent once more', () => {
    const delivered = [
      { channel: 'email', provider: 'sendgrid' },
      { channel: 'in_app', provider: null },
    ];
    const words = wordsOf(sendAgainView({ ...again, delivered, payload: 'as-it-was' }));
    expect(words).toContain('Already delivered, and delivered once more by this: Email · SendGrid, In-app.');
    expect(wordsOf(sendAgainView({ ...again, payload: 'as-it-was' }))).not.toContain('Already delivered');
  });

  test('warns of numbers that would be sent rounded, in the payload or in overrides', () => {
    const warning = 'The original has a number that is too long to be sent exactly.';
    const long = new Payload(JSON.parse('{"order": {"ids": [1, 9007199254740993]}}'));
    const wordsWith = (event: ReturnType<typeof anEvent>) =>
      wordsOf(sendAgainView({ ...again, event, payload: 'as-it-was' }));
    expect(wordsWith(anEvent({ payload: long }))).toContain(warning);
    expect(wordsWith(anEvent({ jobs: [aJob({ overrides: long })] }))).toContain(warning);
    const exact = new Payload({ id: Number.MAX_SAFE_INTEGER, price: 0.1, text: '9007199254740993' });
    expect(wordsWith(anEvent({ payload: exact }))).not.toContain(warning);
  });

  test("asks for a protected environment's name", () => {
    const environment = { ...PRODUCTION, isProtected: true };
    const form = sendAgainView({ ...again, environment, payload: 'as-it-was' });
    expect(Object.keys(fieldsIn(form))).toEqual(['What to send', 'Type production to confirm']);
  });

  test('shows the fields to edit only if the person wants to edit', () => {
    const labels = (payload: 'as-it-was' | 'new') => Object.keys(fieldsIn(sendAgainView({ ...again, payload })));
    expect(labels('as-it-was')).toEqual(['What to send']);
    expect(labels('new')).toEqual(['What to send', 'Payload', 'Overrides', 'Context', 'Actor', 'Tenant']);
    expectView(sendAgainView({ ...again, payload: 'new' }));
  });

  test('keeps its target', () => {
    const view = sendAgainView({ ...again, payload: 'new' });
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

  test('parses the originals, the edits, or what is wrong with them', () => {
    expect(parseEdits(answers({ 'trigger.payload-choice': 'as-it-was' }))).toEqual({ edits: null });
    expect(parseEdits(answers({ 'trigger.payload-choice': 'new', 'trigger.new-payload': '[]' }))).toEqual({
      errors: { 'trigger.new-payload': 'The payload must be a JSON object. For example: {"orderId": "A-17"}' },
    });
  });

  test('refuses a missing choice, and one whose fields were not drawn', () => {
    expect(parseEdits(answers({}))).toEqual({ errors: { 'trigger.payload-choice': 'Choose what to send.' } });
    expect(parseEdits(answers({ 'trigger.payload-choice': 'new' }))).toEqual({
      errors: { 'trigger.payload-choice': expect.stringContaining('The fields to edit are missing.') },
    });
  });

  test('refuses a masked value that was moved, under its field', () => {
    const shown = { 'trigger.new-payload': '{"token": "•••ue-1"}', 'trigger.new-overrides': '{"a": {"key": "•••3"}}' };
    const edited = (payload: string, overrides: string) =>
      parseEdits(
        answers(
          { 'trigger.payload-choice': 'new', 'trigger.new-payload': payload, 'trigger.new-overrides': overrides },
          shown,
        ),
      );
    const moved = expect.stringContaining('A masked value (•••) was moved.');
    expect(edited('{"other": "•••ue-1"}', '{"b": {"key": "•••3"}}')).toEqual({
      errors: { 'trigger.new-payload': moved, 'trigger.new-overrides': moved },
    });
    expect(edited('{"token": "•••ue-1", "more": 1}', '')).toMatchObject({ edits: { options: { overrides: null } } });
  });

  test('sends overrides and context along with the payload', () => {
    const { again: sent, options } = repeated(TENANTS, null);
    expect(sent.payload.forTrigger()).toEqual({ orderId: 'A-17', token: 'secret-value-1' });
    expect(options.overrides?.forTrigger()).toEqual({ sendgrid: { templateId: 'd-17' } });
    expect(options).toMatchObject({ context: { tenant: 'acme' }, actor: null, tenant: null });
  });

  test('sends edits, with the originals of masked values', () => {
    const view = sendAgainView({ ...again, event: TENANTS, payload: 'new' });
    const shown = JSON.stringify(view);
    expect(shown).not.toContain('secret-value-1');
    const read = parseEdits(
      answers({
        'trigger.payload-choice': 'new',
        'trigger.new-payload': JSON.stringify({ ...TENANTS.payload.masked(), orderId: 'B-18' }),
        'trigger.new-context': 'tenant:other',
        'trigger.new-actor': 'user-7',
      }),
    );
    const { again: sent, options } = repeated(TENANTS, 'edits' in read ? read.edits : null);
    expect(sent.payload.forTrigger()).toEqual({ orderId: 'B-18', token: 'secret-value-1' });
    expect(options).toEqual({ overrides: null, context: { tenant: 'other' }, actor: 'user-7', tenant: null });
  });

  test('sends a context that is too long to edit as it was, unless another one is typed', () => {
    const contextKeys = Array.from({ length: 40 }, (_, index) => `type-${index}:${'x'.repeat(100)}`);
    const event = anEvent({ payload: new Payload({}), contextKeys });
    const view = sendAgainView({ ...again, event, payload: 'new' });
    expectView(view);
    expect(wordsOf(view)).toContain('region:eu The original is too long to edit here: leave this empty to send it.');
    expect(JSON.stringify(view)).not.toContain('"initial_value":"type-0');
    const sent = (typed: string) => {
      const read = parseEdits(
        answers({ 'trigger.payload-choice': 'new', 'trigger.new-payload': '', 'trigger.new-context': typed }),
      );
      return repeated(event, 'edits' in read ? read.edits : null).options.context;
    };
    expect(Object.keys(sent('') ?? {})).toHaveLength(40);
    expect(sent('tenant:other')).toEqual({ tenant: 'other' });
  });

  test('starts without a payload if the variables of its workflow are too long for a field', () => {
    const variables = Array.from({ length: 200 }, (_, index) => `variable-number-${index}`);
    const workflow = aWorkflow({ identifier: 'order-shipped', name: 'Order shipped', variables });
    const event = anEvent({ payload: new Payload({}), workflow });
    const view = sendAgainView({ ...again, event, payload: 'new' });
    expect(JSON.stringify(view)).not.toContain('variable-number');
    expect(wordsOf(view)).not.toContain('too long');
  });

  test("isn't available for an event without a subscriber or a workflow", () => {
    expect(whyNotAgain(anEvent())).toBeNull();
    expect(whyNotAgain(anEvent({ subscriber: null }))).toContain('no subscriber');
    expect(whyNotAgain(anEvent({ workflow: null }))).toContain('deleted');
  });
});

/** An event of a tenant, with overrides for its steps. */
const TENANTS = anEvent({
  payload: new Payload({ orderId: 'A-17', token: 'secret-value-1' }),
  contextKeys: ['tenant:acme'],
  jobs: [aJob({ overrides: new Payload({ sendgrid: { templateId: 'd-17' } }) })],
});
