import { describe, expect, test } from 'vitest';
import { delivered, failed } from '../../sandbox/service/examples.ts';
import { LISTENING } from '../support/bot.ts';
import { GENERAL, ONCALL } from '../support/person.ts';
import { openWorld, sharedWorld } from '../support/world.ts';

const TOKEN = 'the-token-of-the-pipeline';

/** Integrations are compared at every other poll. */
const TWO_MINUTES = 120_000;

describe('changes around an environment', () => {
  const world = sharedWorld(() => openWorld({ variables: { NOTIF_DEPLOY_TOKEN: TOKEN } }));

  test('are none before the first change, and the answer says what it covers', async () => {
    const { ann, service, log, passes } = world;
    service.world.plantEvent(delivered());
    // Only an event says which integrations are the environment's.
    passes(TWO_MINUTES);
    await log.until('Integrations read');
    const times = log.saying('Integrations read').length;
    passes(TWO_MINUTES);
    await log.until('Integrations read', times + 1);
    const { words } = await ann.asks('/notif changes');
    expect(words).toContain('· no changes\n');
    expect(words).toContain('production: integrations compared since');
  });

  test('are noticed, and named by an incident that begins after them and by the list of integrations', async () => {
    const { ann, service, log, passes, polls } = world;
    const sendgrid = service.world.integrations.find(({ providerId }) => providerId === 'sendgrid');
    if (sendgrid) sendgrid.primary = false;
    passes(TWO_MINUTES);
    await log.until('Change noticed');
    for (const n of [1, 2, 3]) service.world.plantEvent(failed('email', { subscriber: `user-${n}` }));
    await polls();
    const row = await ann.sees('⚙️ SendGrid integration (email): no longer primary', ONCALL);
    expect(row.words).toMatch(/no longer primary .* before/);
    const changed = 'SendGrid integration (email): no longer primary';
    expect((await ann.asks('/notif changes')).words).toContain(changed);
    expect((await ann.asks('/notif integrations channel:email')).words).toContain(
      `Last change noticed: ⚙️ ${changed} · `,
    );
    expect((await ann.asks('/notif integrations channel:sms')).words).toContain('No change noticed since ');
  });

  test('are of workflows, too: a new name, and the end of one that was deleted', async () => {
    const { ann, service, polls, passes } = world;
    service.world.renameWorkflow('order-shipped', 'Parcel sent');
    for (const n of [1, 2, 3]) service.world.plantEvent(failed('sms', { subscriber: `user-${n}` }));
    await polls();
    const renamed = '⚙️ Workflow Parcel sent: renamed from Order shipped';
    await ann.sees(renamed, ONCALL);
    service.world.deleteWorkflow('order-shipped');
    passes(TWO_MINUTES);
    const changes = async () => (await ann.asks('/notif changes')).words;
    await expect.poll(changes).toContain('⚙️ Workflow Parcel sent: deleted');
    expect(await changes()).toContain(renamed);
    expect((await ann.asks('/notif failures channel:sms')).words).toContain('order-shipped');
  });

  test('include deploys that a user reports, which are in the audit trail for operators', async () => {
    const { ann, ben } = world;
    const answer = await ann.asks('/notif deployed checkout: 2.3 <!channel>');
    expect(answer.words).toContain('🚀 Deploy recorded in production: checkout: 2.3');
    expect((await ann.asks('/notif changes')).words).toContain('🚀 Deploy: checkout: 2.3');
    expect((await ann.asks('/notif audit')).words).toMatch(
      /^recorded a deploy checkout: 2\.3 .*\| .* \| ✅ done \| production/m,
    );
    expect((await ben.asks('/notif audit')).words).toContain('Only operators can do this.');
  });

  test('include a deploy only if it is said what was deployed, and where, if not in the first environment', async () => {
    const { ann } = world;
    expect((await ann.asks('/notif deployed')).words).toContain('What was deployed?');
    expect((await ann.asks('/notif deployed mail 5,env:nope')).words).toContain('There is no environment nope.');
    const named = await ann.asks('/notif deployed mail 5; env:production');
    expect(named.words).toContain('Deploy recorded in production: mail 5. Incidents');
  });

  test('include a deploy that a pipeline reports with its token, once', async () => {
    const report = (token: string) =>
      fetch(`http://127.0.0.1:${world.log.saying(LISTENING).at(-1)?.port}/deploys`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}` },
        body: JSON.stringify({ what: 'payments <!channel> 7' }),
      });
    expect((await report('wrong')).status).toBe(401);
    expect((await report(TOKEN)).status).toBe(201);
    expect((await report(TOKEN)).status).toBe(200);
    const { words } = await world.ann.asks('/notif changes since:1h');
    expect(words.match(/Deploy: payments/g)).toHaveLength(1);
  });

  test('are shown in a channel whose watch asks for them', async () => {
    const { ann } = world;
    await ann.types('/notif watch changes:on', GENERAL);
    expect((await ann.sees('created a watch here', GENERAL)).words).toContain('shows changes');
    await ann.types('/notif deployed search 4', GENERAL);
    expect((await ann.sees('🚀 Deploy: search 4', GENERAL)).words).toMatch(/^production · 1 change\n/);
  });
});
