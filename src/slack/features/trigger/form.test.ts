import { describe, expect, test } from 'vitest';
import { Payload } from '../../../lib/text/payload.ts';
import { planTrigger } from '../../../sendings/plan.ts';
import { parseRecipients } from '../../../sendings/typed-recipients.ts';
import { aWorkflow } from '../../../service/event.testing.ts';
import { writeLookup } from '../../kit/button-values.ts';
import { ENVIRONMENT } from '../../kit/inputs.ts';
import { expectView, fieldsIn, HOSTILE, PRODUCTION, STAGING, wordsOf } from '../../slack.testing.ts';
import { blockToKeep, confirmBlockOf, type KeptForm, previewBlocks, type TriggerForm, triggerView } from './form.ts';

const ENVIRONMENTS = [PRODUCTION, STAGING];
const LOCKED = { ...PRODUCTION, isProtected: true };
const ORDER_SHIPPED = aWorkflow({
  identifier: 'order-shipped',
  name: 'Order shipped',
  variables: ['orderId', 'carrier'],
});

const KEPT: KeptForm = { intent: 'intent-1', answerAt: null, channel: null, again: null };
const AGAIN: KeptForm = {
  ...KEPT,
  again: writeLookup({ environment: 'production', target: { kind: 'event', id: '65f1' } }),
};

function aForm(change: Partial<TriggerForm> = {}): TriggerForm {
  return {
    kept: KEPT,
    environments: ENVIRONMENTS,
    environment: PRODUCTION,
    workflow: null,
    initial: { recipients: '', advanced: '' },
    ...change,
  };
}

const fieldsOf = (form: TriggerForm) => fieldsIn(triggerView(form));

/** Returns what is typed and `drawn`, the fields' initial contents. */
function filled(form: TriggerForm, answers: Record<string, string>, drawn: Record<string, string> = {}) {
  const fields = fieldsOf(form);
  const byBlock = (texts: Record<string, string>) =>
    new Map(Object.entries(texts).map(([label, text]) => [fields[label] ?? label, text]));
  const values = new Map([[ENVIRONMENT, form.environment.name], ...byBlock(answers)]);
  return {
    blockIds: Object.values(fields),
    valueIn: (blockId: string) => values.get(blockId) ?? null,
    valuesIn: () => [],
    initialIn: (blockId: string) => byBlock(drawn).get(blockId) ?? null,
  };
}

describe('the form for a test', () => {
  test('asks for workflow, recipients and payload, and for the environment if there are several', () => {
    const labels = ['Environment', 'Workflow', 'Recipients', 'Payload', 'Advanced'];
    expect(Object.keys(fieldsOf(aForm()))).toEqual(labels);
    expect(Object.keys(fieldsOf(aForm({ environments: [PRODUCTION] })))).toEqual(labels.slice(1));
  });

  test("starts from the workflow's variables, unless half of them would be no JSON", () => {
    const view = JSON.stringify(triggerView(aForm({ workflow: ORDER_SHIPPED })));
    expect(view).toContain(JSON.stringify('{\n  "orderId": "",\n  "carrier": ""\n}'));
    const variables = Array.from({ length: 200 }, (_, index) => `variable-number-${index}`);
    const long = triggerView(aForm({ workflow: { ...ORDER_SHIPPED, variables } }));
    expectView(long);
    expect(JSON.stringify(long)).not.toContain('initial_value');
  });

  test('has the same hints whatever is known of the workflow', () => {
    const others = aForm({ workflow: { ...ORDER_SHIPPED, variables: ['carrier'] } });
    for (const form of [others, aForm()])
      expect(JSON.stringify(triggerView(form))).toContain('also with a payload: user-1 {\\"orderId\\": \\"…\\"}.');
  });

  test("is accepted by Slack, whatever the workflow's name", () => {
    const variables = Array.from({ length: 300 }, (_, n) => `${HOSTILE}${n}`);
    expectView(triggerView(aForm({ workflow: { identifier: HOSTILE.repeat(9), name: HOSTILE, variables } })));
  });

  test('keeps a typed payload when redrawn, and replaces a template that nobody changed', () => {
    const form = aForm({ workflow: ORDER_SHIPPED });
    const block = fieldsOf(form).Payload ?? '';
    const template = { Payload: '{"orderId": ""}' };
    expect(blockToKeep(filled(form, template, template), KEPT)).toBeNull();
    expect(blockToKeep(filled(form, {}), KEPT)).toBeNull();
    expect(blockToKeep(filled(form, { Payload: '{ not yet' }, template), KEPT)).toBe(block);
    expect(blockToKeep(filled(form, template, template), AGAIN)).toBe(block);
    expect(fieldsOf(aForm({ environment: STAGING, payloadBlock: block })).Payload).toBe(block);
  });
});

describe('the preview', () => {
  const preview = (who: string, payload = {}, advanced = {}, environment = PRODUCTION) => {
    const fields = { recipients: parseRecipients(who), payload: new Payload(payload), advanced: new Payload(advanced) };
    const content = { environment: 'production', workflow: 'order-shipped', ...fields };
    const plan = planTrigger(content);
    return {
      blocks: previewBlocks(content.advanced, plan, environment, { blockId: 'confirm', unknown: [], unchecked: [] }),
    };
  };

  test('shows how much will be sent where, with the first rows', () => {
    const words = wordsOf(
      preview('user-1 {"orderId": "A-17"}\nuser-2\nuser-1\nuser-4\nuser-5\nuser-6\nuser-7\nuser-7'),
    );
    expect(words).toContain('Preview · 7 events of order-shipped in production');
    expect(words).toContain('Nothing was sent yet.');
    expect(words).toContain('1. user-1 { "orderId": "A-17" }\n2. user-2 no payload');
    expect(words).toContain('\n2 more');
  });

  test('shows values with secrets and contacts masked, and what is advanced', () => {
    const profile = { email: 'ada@example.com', firstName: 'Ada' };
    const overrides = { sendgrid: { apiKey: 'SG.secret-key' } };
    const words = wordsOf(preview('user-1', { token: 'sk_live_51abc' }, { overrides, tenant: 'acme', profile }));
    expect(words).toContain(
      'This updates the subscriber at the service: { "email": "a•••@example.com", "firstName": "Ada" }',
    );
    expect(words).toContain('"tenant": "acme"');
    for (const secret of ['sk_live_51abc', 'ada@', 'SG.secret-key']) expect(words).not.toContain(secret);
  });

  test('is accepted by Slack, whatever it contains', () => {
    const rows = Array.from({ length: 100 }, (_, n) => `${n}-${'x'.repeat(200)}`).join('\n');
    const hostile = Object.fromEntries(Array.from({ length: 300 }, (_, n) => [`${HOSTILE}${n}`, HOSTILE]));
    const view = preview(rows, hostile, { overrides: hostile, context: hostile }, LOCKED);
    const words = { type: 'plain_text', text: 'Form' };
    expectView({ type: 'modal', title: words, submit: words, ...view });
    const marked = view.blocks.filter(({ type }) => type !== 'input');
    expect(JSON.stringify(marked)).not.toMatch(/<(?:!|@|http)/);
  });

  test('is of other content as soon as a field changes, in any form', () => {
    const answers = { Workflow: 'w', Recipients: 'user-1', Payload: '{}', Advanced: '{}' };
    const print = (change: object, kept = KEPT) => confirmBlockOf(filled(aForm(), { ...answers, ...change }), kept);
    const others = [
      { Environment: 'staging' },
      { Workflow: 'other' },
      { Recipients: 'user-2' },
      { Payload: '{"a": 1}' },
      { Advanced: '{"tenant": "acme"}' },
    ].map((change) => print(change));
    expect(print({})).toBe(print({}));
    expect(print({})).toMatch(/^trigger.confirm:[\da-f]{64}$/);
    expect(new Set([...others, print({}), print({}, { ...KEPT, intent: 'intent-2' })]).size).toBe(7);
  });
});
