import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { delivered, failed } from '../../sandbox/notification-service/examples.ts';
import { ONCALL } from '../support/person.ts';
import { openWorld, POLLS_ONCE, type World } from '../support/world.ts';

describe('/notif integrations', () => {
  let world: World;
  beforeAll(async () => {
    world = await openWorld({ variables: POLLS_ONCE });
  });
  afterAll(() => world.close());

  test("says that it doesn't know which belong to the environment before anything was sent", async () => {
    const answer = await world.ann.asks('/notif integrations');
    expect(answer.words).toContain('production · 13 integrations of the organization');
    expect(answer.words).toContain('⚠️ Which of them belong to production is unknown');
  });

  test("shows an environment's integrations by channel, with their problems", async () => {
    const { ann, service } = world;
    service.world.plantEvent(delivered());
    const [inbox, sendgrid, ses, twilio] = service.world.integrations;
    if (ses) ses.configurations = {};
    if (twilio) twilio.active = false;
    const children = [{ field: 'locale', value: 'de', operator: 'EQUAL', on: 'subscriber' as const }];
    sendgrid?.conditions.push({ isNegated: false, type: 'GROUP', value: 'AND', children });
    const answer = await ann.asks('/notif integrations');
    expect(answer.words).toContain('production · 7 integrations');
    expect(answer.words).toContain('⚠️ No active SMS integration: nothing is sent by SMS');
    expect(answer.words).toContain(`Inbox | in-app | built in | ${inbox?.identifier} | ✅ active · primary`);
    expect(answer.words).toContain(
      `${sendgrid?.identifier} | ✅ active · primary · only under conditions on subscriber.locale · inbound webhook on`,
    );
    expect(answer.words).toContain('🟡 no inbound webhook: its bounces may never arrive');
    expect(answer.words).toMatch(/Amazon SES \(retired\) .* 🗑️ deleted \d{4}-\d\d-\d\d \d\d:\d\d UTC by [0-9a-f]{24}/);
    expect(answer.words).toContain('⏸️ inactive');
    expect(world.ben.messages()).toEqual([]);
  });

  test('shares its answer', async () => {
    const answer = await world.ann.asks('/notif integrations provider:sendgrid');
    await world.ann.clicks('Share', answer);
    expect((await world.ben.sees('Shared by')).words).toContain('✅ active');
  });

  test.each([
    ['/notif integrations provider:mailgun', 'no integrations of this kind; there are some for in-app, email, SMS'],
    ['/notif integrations channel:emial', 'no integrations of this kind; there are some for in-app, email, SMS'],
    ['/notif integrations sendgrid', 'For example: /notif integrations channel:email,sms'],
    ['/notif integrations workflow:x', "can't filter by workflow:. It takes channel:, provider:, env:."],
  ])('corrects %s', async (line, words) => {
    expect((await world.ann.asks(line)).words).toContain(words);
  });

  test('warns of an integration whose sends all fail, with its incident', async () => {
    const { ann, service } = world;
    for (const n of [1, 2, 3, 4, 5, 6]) service.world.plantEvent(failed('email', { subscriber: `user-${n}` }));
    await ann.asks('/notif failures');
    await ann.sees('6 people', ONCALL);
    const answer = await ann.asks('/notif integrations channel:email');
    expect(answer.words).toMatch(/⚠️ active · 8\d% of the last 7 attempts failed \(5 min to/);
    expect(answer.words).toContain('Incident #1: SendGrid refuses every email: Unauthorized (401)');
    await ann.choosesFromMenu('Acknowledge', answer);
    expect((await ann.gets('cknowledged')).words).toContain('👀 Acknowledged #1.');
  });

  test("explains why the service's answer couldn't be read", async () => {
    const end = world.service.faults.set('listIntegrations', { kind: 'status', status: 401 });
    expect((await world.ann.asks('/notif integrations')).words).toContain('the API key was refused (401)');
    end();
  });
});
