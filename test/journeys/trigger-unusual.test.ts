import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { delivered } from '../../sandbox/notification-service/examples.ts';
import type { Person } from '../support/person.ts';
import { openWorld, type World } from '../support/world.ts';

describe('an unusual test', () => {
  let world: World;
  beforeAll(async () => {
    world = await openWorld();
  });
  afterAll(() => world.close());

  it('is followed although its event has an ID that no button can hold', async () => {
    const { ann, service } = world;
    const id = 'e'.repeat(2_000);
    service.world.plantEvent(
      delivered({ _id: id, subscriber: 'user-long', transactionId: 'long-1', workflow: 'password-reset' }),
    );
    const body = JSON.stringify([{ acknowledged: true, status: 'processed', transactionId: 'long-1' }]);
    service.faults.set('triggerEvents', { kind: 'words', status: 201, body }, { times: 1 });
    await fillIn(ann, 'user-long');
    await ann.submits();
    const ended = await ann.sees('✅ user-long delivered', ann.directMessages);
    await ann.clicks('Look up', ended);
    await ann.gets('it refused the request (422)', ann.directMessages);
  });
});

async function fillIn(person: Person, subscribers: string): Promise<void> {
  await person.types('/notif trigger password-reset');
  await person.seesModal('password-reset');
  await person.fillsIn({ Subscribers: subscribers, Payload: '{"resetLink": "https://shop.example/reset"}' });
}
