import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { delivered } from '../../sandbox/notification-service/examples.ts';
import { openWorldAsleep, type World } from '../support/world.ts';

describe('the test form', () => {
  let world: World;
  beforeAll(async () => {
    world = await openWorldAsleep({ environments: ['production', 'staging'] });
    const [production, staging] = [world.serviceOf('production').world, world.serviceOf('staging').world];
    production.plantEvent(delivered({ workflow: 'password-reset', createdAt: production.now() - 1_000 }));
    production.plantEvent(delivered({ workflow: 'order-shipped' }));
    staging.plantEvent(delivered({ workflow: 'marketing-news' }));
    await world.start();
    await world.log.until('"newEvents":2');
    await world.log.until('"newEvents":1');
  });
  afterAll(() => world.close());

  test('opens by the command, with the workflow and its template if one is named', async () => {
    const { ann } = world;
    await ann.types('/notif trigger order-shipped');
    const form = await ann.seesModal('Send a test');
    expect(form.words).toContain('order-shipped · Order shipped');
    expect(form.words).toContain('"orderNumber": ""');
  });

  test('opens by the shortcut, and shows the template of the chosen workflow', async () => {
    const { ann } = world;
    await ann.choosesShortcut('send_test_notification');
    await ann.seesModal('Send a test');
    await ann.fillsIn({ Workflow: 'password-reset' });
    await ann.seesModal('"resetLink": ""');
  });

  test('keeps its contents when Slack fails to update it', async () => {
    const { ann, slack } = world;
    await ann.types('/notif trigger order-shipped');
    await ann.seesModal('Send a test');
    slack.faults.next('views.update', { kind: 'error', error: 'internal_error' });
    await ann.fillsIn({ Recipients: 'user-1', Workflow: 'password-reset' });
    world.log.expects(/an interaction could not be answered/);
    await expect.poll(() => ann.modal()?.words).toContain('Something went wrong in Notif itself.');
    await ann.closes();
    expect(ann.modal()?.words).toContain('"orderNumber": ""');
    await ann.closesAll();
  });

  test('offers the workflows of recent events, and what was typed', async () => {
    const { ann } = world;
    await ann.types('/notif trigger');
    await ann.seesModal('Send a test');
    expect(await ann.isOffered('trigger.workflow', '')).toEqual([
      'order-shipped · Order shipped',
      'password-reset · Password reset',
    ]);
    expect(await ann.isOffered('trigger.workflow', 'reset')).toEqual([
      'password-reset · Password reset',
      'Use “reset”',
    ]);
  });

  test('offers the workflows of the chosen environment', async () => {
    const { ann } = world;
    await ann.types('/notif trigger env:staging');
    await ann.seesModal('Send a test');
    expect(await ann.isOffered('trigger.workflow', '')).toEqual(['marketing-news · Marketing news']);
  });

  test.each([
    [{ Recipients: 'user-1', Payload: '{"a": }' }, "This isn't JSON:"],
    [{ Recipients: 'user-1', Payload: '[1]' }, 'The payload must be a JSON object.'],
    [{ Recipients: ' , ', Payload: '{}' }, 'Give at least one subscriber ID.'],
    [{ Recipients: subscribers(101), Payload: '{}' }, '101 rows, but at most 100 at once.'],
    [{ Recipients: 'user-1\nuser-2 {"a": }', Payload: '{}' }, "Line 2: This isn't JSON"],
    [{ Recipients: 'user-1', Advanced: '{"tenants": "acme"}' }, "The service wouldn't take tenants."],
  ])('reports an error under its field: %#', async (fields, error) => {
    const { ann } = world;
    await ann.types('/notif trigger order-shipped');
    await ann.seesModal('Send a test');
    await ann.fillsIn(fields);
    expect(await ann.submits()).toEqual([expect.stringContaining(error)]);
  });

  test("doesn't open for users who aren't operators, with the reason", async () => {
    const { ann, ben } = world;
    const answer = await ben.asks('/notif trigger order-shipped');
    expect(answer.words).toContain('Only operators can do this.');
    expect(answer.words).toContain(`Ask ⟨user ${ann.id}⟩, or have NOTIF_OPERATORS changed.`);
    expect(ben.modal()).toBeUndefined();
  });

  test('sent nothing in these tests', () => {
    expect(world.serviceOf('production').requests.count('triggerEvents')).toBe(0);
  });
});

function subscribers(count: number): string {
  return Array.from({ length: count }, (_, index) => `user-${index}`).join('\n');
}
