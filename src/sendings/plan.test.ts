import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { anEnvironment } from '../lib/environment.testing.ts';
import { type JsonObject, Payload } from '../lib/text/payload.ts';
import { aJob, anEvent, aWorkflow } from '../service/event.testing.ts';
import { originalOf, withOriginals } from './original.ts';
import cases from './plan.cases.json' with { type: 'json' };
import { needsPreview, planTrigger, suggestWorkflows, workflowNamed } from './plan.ts';
import { lineFor, parseRecipients } from './typed-recipients.ts';

function planned(text: string, advanced: JsonObject = {}) {
  const filled = { environment: 'production', workflow: 'order-shipped', recipients: parseRecipients(text) };
  return planTrigger({
    ...filled,
    payload: new Payload({ orderId: '', total: 5 }),
    advanced: new Payload(advanced),
  });
}

describe('planning a trigger', () => {
  test("overrides the common payload with a row's own", () => {
    const { events } = planned('user-1\nuser-2 {"orderId": "A-17"}');
    expect(events.map(({ payload }) => payload.content)).toEqual([
      { orderId: '', total: 5 },
      { orderId: 'A-17', total: 5 },
    ]);
  });

  test('counts a row once that sends the same to the same subscriber', () => {
    const count = (text: string) => planned(text).events.length;
    expect(count('user-1 {"a": 1}\nuser-2\nuser-1 {"a": 2}\nuser-2\nuser-1 {"a": 1}')).toBe(3);
    expect(count('user-1\nuser-1 {"total": 5}\nuser-1 {"total": 5, "orderId": ""}')).toBe(1);
    expect(count('user-1\nuser-1 {"total": "5"}')).toBe(2);
  });

  test('accepts up to a hundred recipients', () => {
    const ids = (count: number) => Array.from({ length: count }, (_, index) => `user-${index}`).join('\n');
    expect(planned(ids(100)).events).toHaveLength(100);
    expect(() => planned(ids(101))).toThrow('101 recipients, but at most 100 at once.');
  });

  test('reads everything that the contract has besides', () => {
    const typed = {
      actor: 'user-0',
      tenant: 'acme',
      context: { region: 'eu' },
      overrides: { sendgrid: { templateId: 'd-17' } },
      profile: { firstName: 'Ada', data: { vip: true } },
    };
    const { options, events } = planned('user-1', typed);
    expect(options).toMatchObject({ actor: 'user-0', tenant: 'acme', context: { region: 'eu' } });
    expect(options.overrides?.content).toEqual(typed.overrides);
    expect(events[0]?.profile?.content).toEqual(typed.profile);
    const nothing = { overrides: null, actor: null, tenant: null, context: null };
    expect(planned('user-1')).toMatchObject({ options: nothing, events: [{ profile: null }] });
  });

  test.each(cases.advanced)(
    'names what is wrong in the advanced field: $rows, $advanced',
    ({ rows, advanced, what }) => {
      expect(() => planned(rows, advanced)).toThrow(what);
    },
  );
});

test('a preview is required for several events, for a profile and in a protected environment', () => {
  const unprotected = anEnvironment();
  const locked = anEnvironment({ isProtected: true });
  expect(needsPreview(planned('user-1'), unprotected)).toBe(false);
  expect(needsPreview(planned('user-1\nuser-2'), unprotected)).toBe(true);
  expect(needsPreview(planned('user-1', { profile: { locale: 'en' } }), unprotected)).toBe(true);
  expect(needsPreview(planned('user-1'), locked)).toBe(true);
});

describe('recipients', () => {
  const rowsOf = (text: string) =>
    parseRecipients(text).map(({ subscriberId, content }) => [subscriberId, content?.content ?? null]);

  test.each([
    ['user-1, user-2;user-3', ['user-1', 'user-2', 'user-3']],
    ['- user-1\n• `user-2`\u200b\n\n', ['user-1', 'user-2']],
  ])('are read from %j', (text, ids) => {
    expect(rowsOf(text)).toEqual(ids.map((id) => [id, null]));
  });

  test.each(cases.rows)('can have payloads of their own: %j', (row) => {
    expect(rowsOf(`${row}\nuser-2`)).toEqual([
      ['user-1', { orderId: 'A-17' }],
      ['user-2', null],
    ]);
  });

  test.each(cases.mistakes)('name a mistake with its line: %j', (text, what) => {
    expect(() => parseRecipients(text)).toThrow(what);
  });

  test('are read back as they were written', () => {
    const id = fc.stringMatching(/^[a-z][\w.@-]{0,20}$/);
    const payload = fc.dictionary(fc.string(), fc.oneof(fc.string(), fc.boolean(), fc.constant(null)));
    fc.assert(
      fc.property(fc.array(fc.tuple(id, payload), { minLength: 1 }), (rows) => {
        const written = rows.map(([subscriberId, content]) => `${subscriberId} ${JSON.stringify(content)}`);
        expect(rowsOf(written.join('\n'))).toEqual(
          rows.map(([subscriberId, content]) => [subscriberId, JSON.parse(JSON.stringify(content))]),
        );
      }),
    );
  });

  test.each(['user-1', 'auth0|5f', 'a b', '[x]', 'a,b', '"q"', '{"a": 1}', '- x'])(
    'have a line for any ID: %s',
    (id) => {
      expect(rowsOf(lineFor(id)).map(([subscriberId]) => subscriberId)).toEqual([id]);
    },
  );
});

describe('sending an event again', () => {
  test('starts from the workflow, the subscriber, the payload, and each first override and context', () => {
    const jobs = [
      { ses: { a: 1 }, fcm: 1 },
      { ses: { a: 2 }, sns: 3 },
    ].map((overrides) => aJob({ overrides: new Payload(overrides) }));
    const contextKeys = ['tenant:acme', 'region:eu:west', 'tenant:other', 'odd', ':x', 'y:'];
    const { advanced, payload, ...rest } = originalOf(anEvent({ jobs, contextKeys }), 'production');
    expect(rest).toMatchObject({ environment: 'production', workflow: 'order-shipped', subscriberId: 'user-1' });
    expect(payload.content).toEqual(anEvent().payload.content);
    expect(advanced.content).toEqual({
      overrides: { ses: { a: 1 }, fcm: 1, sns: 3 },
      context: { tenant: 'acme', region: 'eu:west' },
    });
    expect(originalOf(anEvent(), 'production').advanced.isEmpty).toBe(true);
  });

  test.each([
    [{ subscriber: null }, 'no subscriber'],
    [{ workflow: null }, 'deleted'],
  ])('is impossible for an event with %j', (change, why) => {
    expect(() => originalOf(anEvent(change), 'production')).toThrow(why);
  });

  const ORIGINAL = originalOf(
    anEvent({ payload: new Payload({ orderId: 'A-17', token: 'secret-1', card: '•••• 4242' }) }),
    'production',
  );

  interface Filled {
    subscriber?: string;
    environment?: string;
    workflow?: string;
    payload?: object;
    advanced?: JsonObject;
  }
  function sent(change: Filled) {
    const { subscriber = 'user-1', environment = 'production', workflow = 'order-shipped', payload = {} } = change;
    const filled = { environment, workflow, recipients: parseRecipients(subscriber) };
    const typed = { payload: new Payload({ ...payload }), advanced: new Payload(change.advanced ?? {}) };
    return withOriginals({ ...filled, ...typed }, ORIGINAL).payload.content;
  }

  test.each<Filled>([
    { subscriber: 'user-1\nuser-2' },
    { environment: 'staging' },
    { workflow: 'other' },
    { advanced: { profile: { email: 'me@example.com' } } },
    { advanced: { overrides: { email: { to: 'me@example.com' } } } },
  ])('sends no original where the event did not go, but what is typed in full: %j', (elsewhere) => {
    expect(() => sent({ ...elsewhere, payload: JSON.parse(ORIGINAL.payload.masked()) })).toThrow('Type it in full.');
    expect(sent({ ...elsewhere, payload: { orderId: 'A-17' } })).toEqual({ orderId: 'A-17' });
  });
});

describe('workflows', () => {
  const named = (identifier: string, name = identifier) => aWorkflow({ identifier, name });
  const known = [
    named('order-shipped', 'Order shipped'),
    named('Order-Shipped', 'Old orders'),
    named('news-1', 'Weekly news'),
    named('news-2', 'Other news'),
    named('news-3', 'other news'),
  ];

  test('are offered by identifier or name, the most recently seen first', () => {
    const offered = (typed: string) => suggestWorkflows(known, typed).map(({ identifier }) => identifier);
    expect(offered('')).toHaveLength(5);
    expect(offered('OTHER')).toEqual(['news-2', 'news-3']);
    expect(offered('week')).toEqual(['news-1']);
  });

  test.each(cases.workflows)(
    'are found as a command names them, or as typed if none is known: $typed',
    ({ typed, workflow }) => {
      expect(workflowNamed(known, typed)?.identifier ?? null).toBe(workflow);
    },
  );
});
