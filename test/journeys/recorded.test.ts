import { beforeAll, describe, expect, test } from 'vitest';
import { delivered, failed } from '../../sandbox/service/examples.ts';
import { plantRecording } from '../../sandbox/service/recordings.ts';
import { ONCALL } from '../support/person.ts';
import { MINUTE, openWorld, sharedWorld } from '../support/world.ts';

/** What a card says of an answer of a real server, and what it must not say. */
const CARDS: readonly (readonly [name: string, says: readonly string[], not: RegExp])[] = [
  ['sms-vonage-bad-credentials', ['SMS · Vonage: Bad Credentials (status=4)'], /No reason|no explanation/i],
  ['sms-body-status-401', ['Authenticate (20003, HTTP 401)'], /No reason|See the error/],
  ['chat-teams-400', ['Webhook Bad Request - Null or empty event (400)'], /No reason/],
  ['chat-slack-no-service', ['no_service'], /See the error/],
  ['email-bridge-unreachable', ['Email: Bridge execution failed'], /nodemailer/i],
  ['sms-primary-switched-off', ["⚙️ The only active SMS integration isn't primary"], /Twilio/],
  ['sms-override-names-deleted-integration', ['⚙️ The trigger names kannel-x, removed '], /SMS Webhook|no active/i],
  ['preferences-workflow', ['✅', 'the subscriber turned email off'], /canceled before/],
  ['condition-skipped-v2', ['a condition'], /canceled before|🔴/],
  ['throttle-skipped', ['throttled: the limit for its time window was reached'], /a condition/],
  ['delay-failed-subscriber-deleted', ['undeliverable', 'Subscriber was deleted'], /No reason|🔴/],
  ['email-resend-invalid-to', ['Resend: Invalid ', "Correct the subscriber's email address"], /phone/],
  ['email-mailgun-403-disabled', ['Mailgun'], /browser|microsoft/i],
  ['push-404-unregistered', ['push'], /→ Setup|firebase/i],
  ['sms-sent-then-failed', ['The service says that it was sent, then failed it'], /✅/],
  ['lost-no-jobs', ['🟡', 'stuck'], /delivered/],
  ['lost-delayed', ['🟡', 'stuck'], /nodemailer|Email ·/i],
];

/** What a provider says before JSON that says nothing. */
const BEFORE_JSON = ['Relay lf is out of order', 'Trunk line is cut'];

const ALERTS = [
  'SMS via Vonage failed: credentials refused',
  'Email failed: bridge failed or unreachable',
  'SMS failed: integration that the trigger names is gone',
  'SMS failed: no integration to choose',
];

describe('an answer that a real server gave', () => {
  const world = sharedWorld(() => openWorld());
  const events = new Map<string, string>();
  beforeAll(async () => {
    const { service, log, passes } = world;
    const { integrations } = service.world;
    const readsIntegrations = async () => {
      // One that is under way can have begun before the change.
      for (let readings = 0; readings < 2; readings += 1) {
        const times = log.saying('Integrations read').length;
        passes(2 * MINUTE);
        await log.until('Integrations read', times + 1);
      }
    };
    const twilio = service.world.activeIntegrations('sms')[0];
    if (twilio === undefined) throw new Error('the local service sends SMS');
    // Only an event says which integrations are the environment's.
    service.world.plantEvent(delivered());
    const kannel = {
      _id: 'a'.repeat(24),
      identifier: 'kannel-x',
      name: 'Kannel',
      providerId: 'kannel',
      primary: false,
    };
    integrations.push({ ...twilio, ...kannel });
    await readsIntegrations();
    integrations.pop();
    twilio.primary = false;
    await readsIntegrations();
    for (const [name] of CARDS) events.set(name, plantRecording(service.world, name, `${name}~1`));
    passes(12 * MINUTE);
    await world.polls();
    // It's posted before the next fail, since the rows of one alert are nearly full.
    await world.ann.sees('no integration to choose', ONCALL);
    for (const words of BEFORE_JSON) {
      const { _id } = service.world.plantEvent(failed('push', {}, { raw: `${words}: {"x":1}` }));
      events.set(words, _id);
    }
    // A step is stuck after a quarter of an hour.
    passes(8 * MINUTE);
    await world.polls();
  });

  test.each(CARDS)('is explained by the card of its event: %s', async (name, says, not) => {
    const { words } = await world.ann.asks(`/notif event ${events.get(name)}`);
    for (const said of says) expect(words).toContain(said);
    expect(words).not.toMatch(not);
  });

  test.each(BEFORE_JSON)('is explained by the words before its JSON: %s', async (said) => {
    const { words } = await world.ann.asks(`/notif event ${events.get(said)}`);
    expect(words).toContain(`Push · FCM: ${said}`);
    expect(words).not.toMatch(/No reason|"x"/);
  });

  test("is explained by the subscriber's schedule where a successful detail says that it skipped the step", async () => {
    const detail = "The step was skipped as it fell outside the subscriber's schedule";
    const jobs = [{ type: 'sms', status: 'canceled', details: [{ detail }] }];
    const { _id } = world.service.world.plantEvent({ jobs });
    const { words } = await world.ann.asks(`/notif event ${_id}`);
    expect(words).toContain("it fell outside the subscriber's schedule");
    expect(words).not.toContain('canceled before');
  });

  test('is alerted to with its reason, of no provider where none was selected, unless nobody can help it', async () => {
    const { ann } = world;
    for (const said of [...ALERTS, ...BEFORE_JSON.map((words) => `“${words}”`)]) await ann.sees(said, ONCALL);
    const told = ann.messages(ONCALL).map(({ words }) => words);
    expect(told.join('\n')).not.toMatch(/Email via nodemailer|SMS via Twilio|Subscriber was deleted|Delay fail/i);
  });
});
