import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { aWorkflow } from '../../domain/service/event.testing.ts';
import { NO_OPTIONS } from '../../domain/triggers/trigger-plan.ts';
import { ENVIRONMENT } from '../blocks/inputs/environment-input.ts';
import type { FilledForm } from '../blocks/inputs/filled-form.ts';
import { expectView, fieldsIn, HOSTILE, PRODUCTION, STAGING, wordsOf } from '../slack.testing.ts';

import { parseIntent, writeIntent } from './intent-modal.ts';
import {
  environmentOfSelect,
  parseTriggerForm,
  plainHead,
  type TriggerForm,
  triggerView,
  workflowOptions,
} from './modal.ts';
import { MORE } from './more-modal.ts';
import { chosenWorkflow, parseTrigger, typedPayload } from './read-modal.ts';

const ENVIRONMENTS = [PRODUCTION, STAGING];

const ORDER_SHIPPED = aWorkflow({
  identifier: 'order-shipped',
  name: 'Order shipped',
  variables: ['orderId', 'carrier'],
});

const LOCKED = { ...PRODUCTION, isProtected: true };

function aForm(change: Partial<TriggerForm> = {}): TriggerForm {
  const { environment = PRODUCTION } = change;
  return {
    intent: 'intent-1',
    answerUrl: null,
    channel: null,
    environments: ENVIRONMENTS,
    environment,
    workflow: null,
    more: [],
    payloadBlock: null,
    head: plainHead(environment),
    ...change,
  };
}

/** Returns the IDs of a form's fields by their labels. */
function fieldsOf(form: TriggerForm): Record<string, string> {
  return fieldsIn(triggerView(form));
}

function filled(form: TriggerForm, answers: Record<string, string>): FilledForm {
  const fields = fieldsOf(form);
  const typed = Object.entries(answers).map(([label, value]) => [fields[label], value] as const);
  const values = new Map([[ENVIRONMENT, form.environment.name], ...typed]);
  return {
    blockIds: Object.values(fields),
    valueIn: (blockId) => values.get(blockId) ?? null,
    valuesIn: (blockId) => (blockId === MORE ? form.more : []),
  };
}

const ALL = ['rows', 'options', 'profiles'] as const;

describe('the form for a test', () => {
  test('asks for workflow, subscribers and payload, and for the environment if there are several', () => {
    const labels = ['Environment', 'Workflow', 'Subscribers', 'Payload', '▸ More'];
    expect(Object.keys(fieldsOf(aForm()))).toEqual(labels);
    expect(Object.keys(fieldsOf(aForm({ environments: [PRODUCTION] })))).toEqual(labels.slice(1));
  });

  test('unfolds what is ticked', () => {
    const labels = (more: TriggerForm['more']) => Object.keys(fieldsOf(aForm({ more }))).slice(2);
    expect(labels(['options'])).toEqual([
      'Subscribers',
      'Payload',
      '▸ More',
      'Transaction ID',
      'Overrides',
      'Actor',
      'Tenant',
      'Context',
    ]);
    expect(labels(['rows'])).toEqual([
      'Subscribers',
      'Subscribers, continued (2)',
      'Subscribers, continued (3)',
      'Subscribers, continued (4)',
      'Payload',
      '▸ More',
    ]);
    expect(labels(['profiles']).at(-1)).toBe('Profiles');
    expect(wordsOf(triggerView(aForm({ more: ['profiles'] })))).toContain(
      'This updates the subscribers at the service',
    );
  });

  test("starts from the workflow's variables, and shows a sample row and header with them", () => {
    const view = JSON.stringify(triggerView(aForm({ workflow: ORDER_SHIPPED })));
    expect(view).toContain(JSON.stringify('{\n  "orderId": "",\n  "carrier": ""\n}'));
    expect(view).toContain('subscriber,orderId,carrier');
  });

  test('starts without a payload if its variables are too long for a field: half a template is no JSON', () => {
    const variables = Array.from({ length: 200 }, (_, index) => `variable-number-${index}`);
    const form = aForm({ workflow: { ...ORDER_SHIPPED, variables } });
    expectView(triggerView(form));
    expect(JSON.stringify(triggerView(form))).not.toContain('initial_value');
  });

  test('offers a preview for a protected environment', () => {
    expect(triggerView(aForm({ environment: LOCKED })).submit?.text).toBe('Preview');
    expect(triggerView(aForm()).submit?.text).toBe('Send');
  });

  test("is accepted by Slack, whatever the workflow's name", () => {
    const workflow = {
      identifier: HOSTILE.repeat(9),
      name: HOSTILE,
      variables: Array.from({ length: 300 }, (_, n) => `${HOSTILE}${n}`),
    };
    const form = aForm({ workflow, more: ALL });
    for (const one of [aForm(), form, aForm({ workflow: ORDER_SHIPPED })]) {
      expectView(triggerView(one));
    }
  });

  test('parses what was filled in', () => {
    const form = aForm({ more: ALL });
    const read = parseTrigger(
      filled(form, {
        Environment: 'staging',
        Workflow: 'order-shipped',
        Subscribers: 'subscriber,orderId\nuser-1,A-17',
        'Subscribers, continued (3)': 'user-2,A-18\nuser-1,A-17',
        Payload: '{"orderId": "", "total": 5}',
        Overrides: '{"sendgrid": {"templateId": "d-17"}}',
        Actor: 'user-0',
        Tenant: 'acme',
        Context: 'region:eu',
        Profiles: 'user-2 {"firstName": "Ada"}',
      }),
      ENVIRONMENTS,
    );
    if (read.is === 'wrong') throw new Error(JSON.stringify(read.errors));
    const { events, options, ...plan } = read.plan;
    expect(plan).toEqual({ environment: 'staging', workflow: 'order-shipped', transactionId: null });
    expect(read.repeatedRows).toBe(1);
    expect(events.map((one) => [one.subscriberId, one.payload.forTrigger(), one.profile?.forTrigger()])).toEqual([
      ['user-1', { orderId: 'A-17', total: 5 }, undefined],
      ['user-2', { orderId: 'A-18', total: 5 }, { firstName: 'Ada' }],
    ]);
    expect(options.overrides?.forTrigger()).toEqual({ sendgrid: { templateId: 'd-17' } });
    expect(options).toMatchObject({ actor: 'user-0', tenant: 'acme', context: { region: 'eu' } });
  });

  test('shows under each field what is wrong with it', () => {
    const form = aForm({ more: ALL });
    const read = parseTrigger(
      filled(form, {
        Subscribers: 'user-1 {"a": }\nuser-2 }{',
        'Subscribers, continued (2)': '{}',
        Payload: '{',
        'Transaction ID': 'a b',
        Overrides: '[]',
        Context: 'eu',
        Profiles: 'user-9 {"locale": "en"}',
      }),
      ENVIRONMENTS,
    );
    const fields = fieldsOf(form);
    expect(read).toEqual({
      is: 'wrong',
      errors: {
        [fields.Workflow ?? '']: 'Choose a workflow.',
        [fields.Subscribers ?? '']:
          "Line 1, column 14: this isn't JSON from here: a bracket, quote or comma is missing, or one too many. " +
          'For example: user-1 {"orderId": "A-17"}. 1 more row is wrong too.',
        [fields['Subscribers, continued (2)'] ?? '']: expect.stringContaining(
          'Line 1, column 1: the subscriber’s ID is missing',
        ),
        [fields.Payload ?? '']: expect.stringContaining("This isn't JSON"),
        [fields['Transaction ID'] ?? '']: expect.stringContaining('without spaces'),
        [fields.Overrides ?? '']: expect.stringContaining('The overrides must be a JSON object.'),
        [fields.Context ?? '']: expect.stringContaining("Line 1 isn't a name with its value."),
        [fields.Profiles ?? '']: expect.stringContaining('this subscriber is not among those that it is sent to'),
      },
    });
  });

  test('requires one to a hundred rows', () => {
    const errorFor = (subscribers: string) => {
      const read = parseTrigger(filled(aForm(), { Workflow: 'w', Subscribers: subscribers }), ENVIRONMENTS);
      return read.is === 'wrong' ? read.errors['trigger.subscribers'] : null;
    };
    const ids = (count: number) => Array.from({ length: count }, (_, index) => `user-${index}`).join('\n');
    expect(errorFor(ids(100))).toBeNull();
    expect(errorFor(ids(101))).toBe('101 rows, but at most 100 at once.');
    expect(errorFor(' , ')).toContain('Give at least one subscriber ID.');
  });

  test('ignores folded options, and refuses content in their fields', () => {
    const answers = { Workflow: 'w', Subscribers: 'user-1' };
    const folded = parseTrigger(filled(aForm(), answers), ENVIRONMENTS);
    expect(folded).toMatchObject({ is: 'complete', plan: { options: NO_OPTIONS, events: [{ profile: null }] } });
    const unfolded = filled(aForm({ more: ALL }), { ...answers, Tenant: 'acme', Profiles: 'x' });
    const notIn = 'Tick this under ▸ More, or empty the field.';
    expect(parseTrigger({ ...unfolded, valuesIn: () => [] }, ENVIRONMENTS)).toEqual({
      is: 'wrong',
      errors: { 'trigger.tenant': notIn, 'trigger.profiles': notIn },
    });
  });

  test('requires an existing environment if there are several', () => {
    const answers = { Workflow: 'w', Subscribers: 'user-1' };
    const errors = { 'form.environment': 'Choose an environment.' };
    const whole = filled(aForm(), answers);
    const without = { ...whole, valueIn: (id: string) => (id === ENVIRONMENT ? null : whole.valueIn(id)) };
    expect(parseTrigger(without, ENVIRONMENTS)).toEqual({ is: 'wrong', errors });
    expect(parseTrigger(filled(aForm(), { ...answers, Environment: 'gone' }), ENVIRONMENTS)).toEqual({
      is: 'wrong',
      errors,
    });
    expect(parseTrigger(without, [PRODUCTION])).toMatchObject({ is: 'complete', plan: { environment: 'production' } });
  });

  test('keeps a typed payload when redrawn, and replaces a template', () => {
    const form = aForm({ workflow: ORDER_SHIPPED });
    const block = fieldsOf(form).Payload ?? '';
    expect(typedPayload(filled(form, { Payload: '{"orderId": ""}' }))).toBeNull();
    expect(typedPayload(filled(form, {}))).toBeNull();
    expect(typedPayload(filled(form, { Payload: '{"orderId": "A-17"}' }))).toBe(block);
    expect(typedPayload(filled(form, { Payload: '{ not yet' }))).toBe(block);
    expect(fieldsOf(aForm({ environment: STAGING, payloadBlock: block })).Payload).toBe(block);
  });

  test('encodes in its select whose workflows to offer', () => {
    const form = aForm({ environment: STAGING });
    expect(environmentOfSelect(fieldsOf(form).Workflow ?? '')).toBe('staging');
    expect(chosenWorkflow(filled(form, { Workflow: 'launch' }))).toBe('launch');
  });

  test('is refused if another version of Notif created it', () => {
    expect(() => parseTriggerForm('{"intent":"intent-1","answerUrl":null}')).toThrow('open it again');
  });

  test('keeps its intent', () => {
    fc.assert(
      fc.property(fc.string(), fc.option(fc.webUrl()), fc.option(fc.string()), (intent, answerUrl, channel) => {
        const kept = { intent, answerUrl, channel };
        expect(parseIntent(writeIntent(kept))).toEqual(kept);
        expect(parseTriggerForm(triggerView(aForm(kept)).private_metadata ?? '')).toEqual({
          ...kept,
          previewed: null,
        });
      }),
    );
  });
});

describe('the workflows offered', () => {
  const labels = (typed: string) => workflowOptions([ORDER_SHIPPED], typed).map(({ text }) => text.text);

  test('end with the typed text, for a workflow that no recent event names', () => {
    expect(labels('order')).toEqual(['order-shipped · Order shipped', 'Use “order”']);
    expect(labels('`order`\u200b')).toEqual(['order-shipped · Order shipped', 'Use “order”']);
  });

  test('are only the known ones if nothing new was typed', () => {
    expect(labels('')).toEqual(['order-shipped · Order shipped']);
    expect(labels('order-shipped')).toEqual(['order-shipped · Order shipped']);
  });

  test('are a hundred at most', () => {
    const many = Array.from({ length: 150 }, (_, n) => ({ ...ORDER_SHIPPED, identifier: `w-${n}` }));
    expect(workflowOptions(many, 'w')).toHaveLength(100);
    expect(workflowOptions(many, 'w').at(-1)?.value).toBe('w');
  });
});
