import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { aWorkflow } from '../../domain/service/event.testing.ts';
import { ENVIRONMENT } from '../blocks/inputs/environment-input.ts';
import type { FilledForm } from '../blocks/inputs/filled-form.ts';
import { expectView, fieldsIn, HOSTILE, PRODUCTION, STAGING } from '../slack.testing.ts';

import { parseIntent, writeIntent } from './intent-modal.ts';
import {
  environmentOfSelect,
  parseTriggerForm,
  plainHead,
  type TriggerForm,
  triggerView,
  workflowOptions,
} from './modal.ts';
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
    valuesIn: () => [],
  };
}

describe('the form for a test', () => {
  test('asks for workflow, subscribers and payload, and for the environment if there are several', () => {
    const labels = ['Environment', 'Workflow', 'Subscribers', 'Payload', 'Advanced'];
    expect(Object.keys(fieldsOf(aForm()))).toEqual(labels);
    expect(Object.keys(fieldsOf(aForm({ environments: [PRODUCTION] })))).toEqual(labels.slice(1));
  });

  test("starts from the workflow's variables, and shows a sample row with them", () => {
    const view = JSON.stringify(triggerView(aForm({ workflow: ORDER_SHIPPED })));
    expect(view).toContain(JSON.stringify('{\n  "orderId": "",\n  "carrier": ""\n}'));
    expect(view).toContain('user-1 {\\"orderId\\"');
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
    const form = aForm({ workflow });
    for (const one of [aForm(), form, aForm({ workflow: ORDER_SHIPPED })]) {
      expectView(triggerView(one));
    }
  });

  test('parses what was filled in', () => {
    const form = aForm();
    const read = parseTrigger(
      filled(form, {
        Environment: 'staging',
        Workflow: 'order-shipped',
        Subscribers: 'user-1 {"orderId": "A-17"}\nuser-2\nuser-1 {"orderId": "A-17"}',
        Payload: '{"orderId": "", "total": 5}',
        Advanced: '{"overrides": {"sendgrid": {"templateId": "d-17"}}, "tenant": "acme"}',
      }),
      ENVIRONMENTS,
    );
    if (read.is === 'wrong') throw new Error(JSON.stringify(read.errors));
    const { events, options, ...plan } = read.plan;
    expect(plan).toEqual({ environment: 'staging', workflow: 'order-shipped', transactionId: null });
    expect(read.repeatedRows).toBe(1);
    expect(events.map((one) => [one.subscriberId, one.payload.forTrigger()])).toEqual([
      ['user-1', { orderId: 'A-17', total: 5 }],
      ['user-2', { orderId: '', total: 5 }],
    ]);
    expect(options.overrides?.forTrigger()).toEqual({ sendgrid: { templateId: 'd-17' } });
    expect(options).toMatchObject({ tenant: 'acme' });
  });

  test('shows under each field what is wrong with it', () => {
    const form = aForm();
    const read = parseTrigger(
      filled(form, {
        Subscribers: 'user-1 {"a": }',
        Payload: '{',
        Advanced: '{"tenants": "acme"}',
      }),
      ENVIRONMENTS,
    );
    const fields = fieldsOf(form);
    expect(read).toEqual({
      is: 'wrong',
      errors: {
        [fields.Workflow ?? '']: 'Choose a workflow.',
        [fields.Subscribers ?? '']: expect.stringContaining("Line 1: This isn't JSON"),
        [fields.Payload ?? '']: expect.stringContaining("This isn't JSON"),
        [fields.Advanced ?? '']: expect.stringContaining('Only these can stand here'),
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
