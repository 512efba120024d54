import { describe, expect, test } from 'vitest';
import type { EventPlan } from '../../sandbox/service/event-plan.ts';
import { delivered, failed } from '../../sandbox/service/examples.ts';
import { plantedSecrets } from '../../sandbox/service/provider-failures.ts';
import { MINUTE, openWorld, sharedWorld } from '../support/world.ts';

/**
 * The payload of the first trigger. Its secrets are never shown; its order number is. ⟨⟩ marks a number that JavaScript would change
 * (sandbox/service/numbers.ts).
 */
const PAYLOAD = {
  resetLink: 'https://shop.example/reset?token=51',
  customerEmail: plantedSecrets.email,
  order: '⟨12345678901234567890⟩',
};

describe('sending an event again', () => {
  const variables = { NOTIF_STAGING_PROTECTED: 'true' };
  const world = sharedWorld(() => openWorld({ environments: ['production', 'staging'], variables }));

  async function opensSendAgain(plan: EventPlan) {
    const { ann, service } = world;
    const event = service.world.plantEvent(failed('email', { workflow: 'password-reset', payload: PAYLOAD, ...plan }));
    return ann.opens('Send again', await ann.asks(`/notif event ${event._id}`), 'Send again');
  }

  /** Lets a minute pass, in which it is delivered. */
  async function expectDeliveryTo(subscriber: string): Promise<void> {
    const { ann, passes } = world;
    await ann.seesModal('Follow it in your DMs with Notif.');
    passes(MINUTE);
    await ann.sees(`✅ ${subscriber} delivered: email`, ann.directMessages);
  }

  test('sends the original payload and contexts, whole, to a plain subscriber ID, in a new transaction', async () => {
    const { ann, service } = world;
    const jobs = [...(delivered().jobs ?? []).slice(0, 1), ...(failed().jobs ?? []), { type: 'sms', status: 'queued' }];
    await opensSendAgain({ subscriber: 'user-1', transactionId: 'txn_first', contextKeys: ['tenant:acme'], jobs });
    const form = await ann.seesModal('Send password-reset to user-1 again in production');
    expect(form.words).toContain('Not carried over: actor, tenant and attachments');
    expect(form.words).toContain('Already delivered, and delivered once more by this: In-app');
    expect(form.words).toContain('⚠️ A step is in progress or stuck, and may still be sent without this.');
    expect(form.words).not.toContain('token=51');
    expect(await ann.submits()).toEqual([]);
    await expectDeliveryTo('user-1');
    expect(service.requests.findLast(({ operation }) => operation === 'triggerEvents')?.body).toMatchObject({
      events: [
        {
          name: 'password-reset',
          to: [{ subscriberId: 'user-1' }],
          payload: PAYLOAD,
          context: { tenant: 'acme' },
          transactionId: expect.not.stringMatching('txn_first'),
        },
      ],
    });
  });

  test('rejects a changed field that is still masked, and keeps the input', async () => {
    const { ann, service } = world;
    const before = service.requests.count('triggerEvents');
    await opensSendAgain({ subscriber: 'user-6' });
    await ann.seesModal('Send password-reset to user-6');
    await ann.fillsIn({ Payload: '{"elsewhere": "a•••@example.com"}', Advanced: '{"actor": "user-7"}' });
    expect(await ann.submits()).toEqual([]);
    await ann.seesModal('A field that was changed still has a masked value (•••).');
    expect(service.requests.count('triggerEvents')).toBe(before);
    await ann.fillsIn({ Payload: '{"resetLink": "typed in full"}' });
    expect(await ann.submits()).toEqual([]);
    await expectDeliveryTo('user-6');
    expect(service.requests.findLast(({ operation }) => operation === 'triggerEvents')?.body).toMatchObject({
      events: [{ payload: { resetLink: 'typed in full' }, actor: 'user-7' }],
    });
  });

  test("keeps the input if the event can't be read again, and says that nothing was sent", async () => {
    const { ann, service } = world;
    const before = service.requests.count('triggerEvents');
    await opensSendAgain({ subscriber: 'user-8', transactionId: 'txn_unread' });
    await ann.seesModal('Send password-reset to user-8');
    await ann.fillsIn({
      Payload:
        '{"resetLink": "typed", "customerEmail": "d•••@customer.sandbox.example", "order": 12345678901234567891}',
    });
    service.faults.set('retrieveEvent', { kind: 'status', status: 401 });
    expect(await ann.submits()).toEqual([]);
    const { words } = await ann.seesModal('Nothing was sent.');
    expect(words).toContain('the API key was refused');
    service.faults.clear();
    expect(service.requests.count('triggerEvents')).toBe(before);
    await ann.submits();
    await expectDeliveryTo('user-8');
    expect(service.requests.findLast(({ operation }) => operation === 'triggerEvents')?.body).toMatchObject({
      events: [{ payload: { ...PAYLOAD, resetLink: 'typed', order: '⟨12345678901234567891⟩' } }],
    });
  });

  test('is refused for an event that was sent again already, with what can be sent instead', async () => {
    const { ann } = world;
    const _id = '65f00000000000000000000f';
    await opensSendAgain({ _id, subscriber: 'user-9' });
    // With the order number, the form has loaded the payload.
    await ann.seesModal('12345678901234567890');
    expect(await ann.submits()).toEqual([]);
    await expectDeliveryTo('user-9');
    await ann.opens('Send again', await ann.asks(`/notif event ${_id}`), 'Send again');
    const { words } = await ann.seesModal('This event was already sent again, and delivered.');
    const [, again] = /can be sent again: \/notif event (resend-[\da-f]{24})/.exec(words) ?? [];
    await ann.closesAll();
    const first = await ann.asks(`/notif event ${_id}`);
    expect(first.words).toMatch(/🔁 Sent again .* by ⟨user U0ANN⟩ · ✅ delivered \d/);
    expect((await ann.asks(`/notif event ${again}`)).words).toContain(`🔁 Repeats ${_id}, sent again`);
    const { words: all } = await ann.asks('/notif subscriber user-9');
    expect(all).toMatch(/failed.*🔁 Sent again .* · ✅ delivered/);
    expect(all).toContain(`🔁 repeats ${_id}`);
  });

  test("says why an event can't be sent again", async () => {
    await opensSendAgain({ workflow: null, subscriber: 'user-3' });
    const modal = await world.ann.seesModal("This can't be sent again.");
    expect(modal.words).toContain('Its workflow was deleted.');
  });

  test('needs the name of a protected environment', async () => {
    const { ann, serviceOf } = world;
    const { requests, world: staging } = serviceOf('staging');
    const event = staging.plantEvent(failed('email', { workflow: 'password-reset', subscriber: 'user-1' }));
    const card = await ann.asks(`/notif event ${event._id} env:staging`);
    await ann.opens('Send again', card, 'Send password-reset to user-1 again in staging');
    expect(await ann.submits()).toEqual([]);
    await ann.seesModal('Preview · 1 event of password-reset in staging');
    await ann.fillsIn({ Preview: 'production' });
    expect(await ann.submits()).toEqual(['Type staging to confirm.']);
    expect(requests.count('triggerEvents')).toBe(0);
    await ann.fillsIn({ Preview: 'staging' });
    expect(await ann.submits()).toEqual([]);
    await expectDeliveryTo('user-1');
  });
});
