import { expect, test } from 'vitest';
import { describeNight } from '../alerts/night.testing.ts';
import { noteIdentity } from '../people/identity.ts';
import { failureOf } from '../store/examples.testing.ts';
import { concerning } from './open-incidents.ts';
import { follow } from './verbs.ts';

describeNight('What is open', (night, store) => {
  test('is theirs first: assigned, acknowledged or followed, by whichever ID of theirs', async () => {
    await night.poll(...['a', 'b', 'c', 'd', 'e'].map((cause) => failureOf(cause)));
    await noteIdentity(store().db, { person: 'W0ANN', ids: ['W0ANN', 'U0ANN'] });
    await night.does(1, { what: 'assigned', to: 'W0ANN' });
    await night.does(2, { what: 'acknowledged' }, 'U0ANN');
    await follow(night.ctx, { incidentId: 3 }, 'followed', 'U0ANN');
    await night.does(4, { what: 'acknowledged' }, 'U0BEN');
    const open = await concerning(store().db, 'U0ANN', ['production'], { limit: 4, now: night.now() });
    expect(open.mine.map(({ id }) => id).toSorted()).toEqual([1, 2, 3]);
    expect(open.others).toMatchObject({ items: [{}], more: 1 });
  });
});
