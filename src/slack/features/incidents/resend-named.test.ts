import { expect, test } from 'vitest';
import { failureOf, recordFailures } from '../../../store/examples.testing.ts';
import { describeStore } from '../../../store/store.testing.ts';
import { NOON } from '../../slack.testing.ts';
import { brokenNamed } from './resend-named.ts';

describeStore('failed notifications that are named to be sent again', (store) => {
  const named = (...ids: readonly string[]) => brokenNamed(store().db, 'production', ids);

  test('are known by their own or their transactions’ IDs, each once, and are of one incident', async () => {
    await recordFailures(store(), NOON, [
      failureOf('a', { eventKey: 'e1', transactionId: 'txn_1' }),
      failureOf('a', { eventKey: 'e2', transactionId: 'txn_1' }),
      failureOf('a', { eventKey: 'e3' }),
      failureOf('b', { eventKey: 'e4' }),
    ]);
    const { ref, eventKeys } = await named('txn_1', 'E2', 'e3');
    expect([ref.incidentId, eventKeys.toSorted()]).toEqual([1, ['e1', 'e2', 'e3']]);
    await expect(named('e1', 'e4')).rejects.toThrow('They are of several incidents: #1, #2.');
    await expect(named('e1', 'anna9@acme.example')).rejects.toThrow('No failure of a•••@acme.example is kept');
  });

  test('are refused where one transaction broke more than can be picked', async () => {
    const people = Array.from({ length: 26 }, (_, n) => failureOf('a', { eventKey: `e${n}`, transactionId: 'txn_1' }));
    await recordFailures(store(), NOON, people);
    await expect(named('txn_1')).rejects.toThrow('26 notifications, but at most 25 at once.');
  });
});
