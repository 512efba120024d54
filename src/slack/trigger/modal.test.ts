import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { checkBlocks } from '../../../sandbox/slack/validate/payload.ts';
import { anEvent } from '../../domain/event.testing.ts';
import { fieldsIn, HOSTILE, PRODUCTION, STAGING, wordsOf } from '../slack.testing.ts';
import { readIntent, writeIntent } from './intent-modal.ts';
import {
  chosenWorkflow,
  environmentOfSelect,
  type Filled,
  readTrigger,
  type TriggerForm,
  triggerView,
  typedPayload,
  workflowOptions,
} from './modal.ts';
import { readNewPayload, readSendAgainForm, sendAgainView, whyNotAgain } from './send-again-modal.ts';

const ENVIRONMENTS = [PRODUCTION, STAGING];

const ORDER_SHIPPED = {
  id: null,
  identifier: 'order-shipped',
  name: 'Order shipped',
  variables: ['orderId', 'carrier'],
};

function aForm(change: Partial<TriggerForm> = {}): TriggerForm {
  return {
    intent: 'intent-1',
    answerUrl: null,
    environments: ENVIRONMENTS,
    environment: PRODUCTION,
    workflow: null,
    typedPayload: null,
    ...change,
  };
}

/** The ids of a form's fields by the words of their labels. */
function fieldsOf(form: TriggerForm): Record<string, string> {
  return fieldsIn(triggerView(form));
}

function filled(form: TriggerForm, answers: Record<string, string>): Filled {
  const fields = fieldsOf(form);
  const values = new Map(Object.entries(answers).map(([label, value]) => [fields[label], value]));
  return { blockIds: Object.values(fields), valueIn: (blockId) => values.get(blockId) ?? null };
}

describe('the form for a test', () => {
  test('asks for workflow, subscribers and payload, and for an environment where there are several', () => {
    expect(Object.keys(fieldsOf(aForm()))).toEqual([
      'Environment',
      'Workflow',
      'Subscribers',
      'Payload',
      'Transaction id',
    ]);
    expect(Object.keys(fieldsOf(aForm({ environments: [PRODUCTION] })))).not.toContain('Environment');
  });

  test('starts from the variables of the workflow', () => {
    expect(JSON.stringify(triggerView(aForm({ workflow: ORDER_SHIPPED })))).toContain(
      JSON.stringify('{\n  "orderId": "",\n  "carrier": ""\n}'),
    );
  });

  test('wants a protected environment confirmed', () => {
    const environment = { ...PRODUCTION, isProtected: true };
    const view = triggerView(aForm({ environment }));
    expect(wordsOf(view)).toContain('Yes, in production, which is protected');
    expect(checkBlocks(view.blocks, 'modal', '/view/blocks')).toEqual([]);
  });

  test('is one that Slack takes, whatever the workflow is called', () => {
    const workflow = {
      identifier: HOSTILE.repeat(9),
      name: HOSTILE,
      variables: Array.from({ length: 300 }, (_, n) => `${HOSTILE}${n}`),
    };
    for (const form of [aForm(), aForm({ workflow }), aForm({ workflow: ORDER_SHIPPED })]) {
      expect(checkBlocks(triggerView(form).blocks, 'modal', '/view/blocks')).toEqual([]);
    }
  });

  test('reads what was filled in', () => {
    const read = readTrigger(
      filled(aForm(), {
        Environment: 'staging',
        Workflow: 'order-shipped',
        Subscribers: 'user-1\nuser-2',
        Payload: '{"orderId": "A-17"}',
      }),
      ENVIRONMENTS,
    );
    expect(read).toMatchObject({
      is: 'complete',
      wanted: {
        environment: 'staging',
        workflow: 'order-shipped',
        subscriberIds: ['user-1', 'user-2'],
        transactionId: null,
      },
    });
    expect(read.is === 'complete' && read.wanted.payload.forTrigger()).toEqual({ orderId: 'A-17' });
  });

  test('says under each field what is wrong with it', () => {
    const form = aForm();
    const read = readTrigger(filled(form, { Payload: '{', 'Transaction id': 'a b' }), ENVIRONMENTS);
    const fields = fieldsOf(form);
    expect(read).toEqual({
      is: 'wrong',
      errors: {
        [fields.Workflow ?? '']: 'Choose a workflow.',
        [fields.Subscribers ?? '']: 'Name at least one subscriber id. For example: user-1, user-2',
        [fields.Payload ?? '']: expect.stringContaining('This is not JSON'),
        [fields['Transaction id'] ?? '']: expect.stringContaining('without blanks'),
      },
    });
  });

  test('keeps a payload that somebody has typed when the form is drawn again, and replaces a template', () => {
    const form = aForm({ workflow: ORDER_SHIPPED });
    const block = fieldsOf(form).Payload;
    expect(typedPayload(filled(form, { Payload: '{"orderId": ""}' }))).toBeNull();
    expect(typedPayload(filled(form, {}))).toBeNull();
    expect(typedPayload(filled(form, { Payload: '{"orderId": "A-17"}' }))).toBe(block);
    expect(typedPayload(filled(form, { Payload: '{ not yet' }))).toBe(block);
    expect(fieldsOf(aForm({ environment: STAGING, typedPayload: block ?? '' })).Payload).toBe(block);
  });

  test('knows whose workflows its select offers', () => {
    const form = aForm({ environment: STAGING });
    expect(environmentOfSelect(fieldsOf(form).Workflow ?? '')).toBe('staging');
    expect(chosenWorkflow(filled(form, { Workflow: 'launch' }))).toBe('launch');
  });

  test('keeps its intent', () => {
    fc.assert(
      fc.property(fc.string(), fc.option(fc.webUrl()), (intent, answerUrl) => {
        expect(readIntent(writeIntent({ intent, answerUrl }))).toEqual({ intent, answerUrl });
      }),
    );
  });
});

describe('the workflows to choose from', () => {
  const labels = (typed: string) => workflowOptions([ORDER_SHIPPED], typed).map(({ text }) => text.text);

  test('end in what was typed itself, for a workflow that no recent event names', () => {
    expect(labels('order')).toEqual(['order-shipped · Order shipped', 'Use “order”']);
  });

  test('are only the known ones where nothing new was typed', () => {
    expect(labels('')).toEqual(['order-shipped · Order shipped']);
    expect(labels('order-shipped')).toEqual(['order-shipped · Order shipped']);
  });

  test('are a hundred at most', () => {
    const many = Array.from({ length: 150 }, (_, n) => ({ ...ORDER_SHIPPED, identifier: `w-${n}` }));
    expect(workflowOptions(many, 'w')).toHaveLength(100);
    expect(workflowOptions(many, 'w').at(-1)?.value).toBe('w');
  });
});

describe('the form for sending again', () => {
  const request = { environment: 'production', target: { kind: 'event', id: '65f000000000000000000001' } } as const;
  const again = { intent: 'intent-1', answerUrl: null, request, environment: PRODUCTION, event: anEvent() };

  test('says what is sent to whom, and what can not be restored', () => {
    const words = wordsOf(sendAgainView({ ...again, payload: 'as-it-was' }));
    expect(words).toContain('Send order-shipped to user-1 again in production');
    expect(words).toContain('What can not be restored: actor, tenant, overrides, attachments and context');
  });

  test('asks for a payload only where a new one is wanted', () => {
    const labels = (payload: 'as-it-was' | 'new') => Object.keys(fieldsIn(sendAgainView({ ...again, payload })));
    expect(labels('as-it-was')).toEqual(['What to send']);
    expect(labels('new')).toEqual(['What to send', 'Payload']);
    expect(checkBlocks(sendAgainView({ ...again, payload: 'new' }).blocks, 'modal', '/view/blocks')).toEqual([]);
  });

  test('keeps what it is about', () => {
    const view = sendAgainView({ ...again, payload: 'new' });
    expect(readSendAgainForm(view.private_metadata ?? '')).toEqual({ intent: 'intent-1', answerUrl: null, request });
  });

  test('reads the payload as it was, a new one, or what is wrong with that', () => {
    const answers = (values: Record<string, string>) => (blockId: string) => values[blockId] ?? null;
    expect(readNewPayload(answers({ 'trigger.payload-choice': 'as-it-was' }))).toEqual({ payload: null });
    expect(readNewPayload(answers({ 'trigger.payload-choice': 'new', 'trigger.new-payload': '[]' }))).toEqual({
      errors: { 'trigger.new-payload': 'The payload has to be a JSON object. For example: {"orderId": "A-17"}' },
    });
  });

  test('is not for an event without a subscriber or a workflow', () => {
    expect(whyNotAgain(anEvent())).toBeNull();
    expect(whyNotAgain(anEvent({ subscriber: null }))).toContain('no subscriber');
    expect(whyNotAgain(anEvent({ workflow: null }))).toContain('deleted');
  });
});
