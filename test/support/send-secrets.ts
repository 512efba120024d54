import { expect, vi } from 'vitest';
import { textsWith } from './evidence.ts';
import type { Person } from './person.ts';
import { CUSTOMER, CUSTOMERS_EVENT, TOO_MUCH } from './secretive-events.ts';
import type { World } from './world.ts';

/** Ann types these into payloads. */
export const TYPED = { token: 'typed-by-hand-9911aabb', email: 'ann.private@people.example' };

export async function sendTests({ ann, service: { faults, requests }, fastForward }: World): Promise<void> {
  const brokenJson = JSON.stringify(TYPED).slice(1);
  await fillIn('password-reset', brokenJson, ann);
  expect(textsWith(Object.values(TYPED), await ann.submits())).toEqual([]);
  faults.set('triggerEvents', { kind: 'body', status: 422, body: TOO_MUCH }, { times: 1 });
  await fillIn('password-reset', JSON.stringify(TYPED), ann);
  await ann.submits();
  await ann.seesModal('Nothing was sent.');
  await fillIn('payment-failed', JSON.stringify(TYPED), ann);
  await ann.submits();
  await fastForward(ann.sees('not sent: the service reports an error', ann.directMessages));
  faults.set('triggerEvents', { kind: 'lost answer' }, { times: 1 });
  for (const workflow of ['password-reset', 'order-shipped']) {
    const sent = requests.count('triggerEvents');
    await fillIn(workflow, JSON.stringify(TYPED), ann);
    await ann.submits();
    // The fault that is set next must not hit this request.
    await vi.waitUntil(() => requests.count('triggerEvents') > sent, { timeout: 60_000 });
  }
}

export async function sendManyTests({ ann, service: { faults } }: World): Promise<void> {
  const typed = JSON.stringify(TYPED);
  await ann.types('/notif trigger password-reset');
  await ann.seesModal('password-reset');
  const advanced = JSON.stringify({ overrides: { sendgrid: TYPED }, context: { token: TYPED.token } });
  await ann.fillsIn({ Recipients: `reader-1 ${typed}\nreader-2`, Payload: typed, Advanced: advanced });
  await ann.submits();
  const preview = await ann.seesModal('Preview · 2 events of password-reset');
  expect(textsWith(Object.values(TYPED), [preview.words])).toEqual([]);
  faults.set('triggerEvents', { kind: 'body', status: 422, body: TOO_MUCH }, { times: 1 });
  await ann.fillsIn({ Preview: 'Yes, send' });
  await ann.submits();
  await ann.seesModal('Nothing was sent.');
  await ann.submits();
  await ann.seesModal('Preview · 2 events of password-reset');
  await ann.fillsIn({ Preview: 'Yes, send' });
  await ann.submits();
  await ann.seesModal('Follow it in your DMs');
  await ann.closes();
}

export async function followTests({ ann, fastForward }: World): Promise<void> {
  const ended = await fastForward(ann.sees('✅ Test of password-reset in production · done', ann.directMessages));
  await ann.clicks('Look up', ended);
  const card = await ann.gets('✅ password-reset for', ann.directMessages);
  await ann.opens('View raw', card, 'without secrets and contacts');
}

export async function sendAgain({ ann, fastForward }: World): Promise<void> {
  await ann.opens('Send again', await ann.looksUp(CUSTOMERS_EVENT, 'Send again'), 'Not carried over');
  await ann.submits();
  await ann.seesModal('Follow it in your DMs');
  await ann.opens('Send again', await ann.looksUp('txn_retired', 'Send again'), 'Not carried over');
  await ann.fillsIn({ Payload: JSON.stringify(TYPED) });
  await ann.submits();
  await ann.seesModal('The service refused 1 event');
  await fastForward(ann.sees("not sent: the workflow isn't active", ann.directMessages));
}

/** Opens the form of a test to the customer, and fills it in. */
async function fillIn(workflow: string, typed: string, person: Person): Promise<void> {
  await person.types(`/notif trigger ${workflow}`);
  await person.seesModal(workflow);
  await person.fillsIn({ Recipients: CUSTOMER, Payload: typed });
}
