import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { delivered } from '../../sandbox/notification-service/examples.ts';
import type { Person } from '../support/person.ts';
import { openWorld, type World } from '../support/world.ts';

describe('an unusual test', () => {
  let world: World;
  beforeAll(async () => {
    world = await openWorld();
  });
  afterAll(() => world.close());

  test('sends nothing with a transaction ID that the service already knows, and says so', async () => {
    const { ann, service } = world;
    service.world.plantEvent(delivered({ subscriber: 'user-1', transactionId: 'known-1', workflow: 'password-reset' }));
    const before = service.requests.count('triggerEvents');
    await fillIn(ann, 'user-1');
    await ann.fillsIn({ Advanced: '{"transactionId": "known-1"}' });
    await ann.submits();
    const answer = await ann.gets('already has an event of transaction known-1');
    expect(answer.words).toContain('Nothing was sent.');
    expect(service.requests.count('triggerEvents')).toBe(before);
  });

  test('with a transaction ID of its own is sent although the service cannot say whether it knows the ID', async () => {
    const { ann, service } = world;
    await fillIn(ann, 'user-2');
    await ann.fillsIn({ Advanced: '{"transactionId": "own-1"}' });
    const heal = service.faults.set('listEvents', { kind: 'status', status: 402 });
    await ann.submits();
    await ann.gets('password-reset is sent to one subscriber');
    heal();
    await ann.sees('✅ user-2 delivered: email · own-1', ann.directMessages);
  });
});

async function fillIn(person: Person, subscribers: string): Promise<void> {
  await person.types('/notif trigger password-reset');
  await person.seesModal('password-reset');
  await person.fillsIn({ Subscribers: subscribers, Payload: '{"resetLink": "https://shop.example/reset"}' });
}
