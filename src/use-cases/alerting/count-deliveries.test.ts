import { expect, test } from 'vitest';
import type { WatchEndedContent } from '../../domain/alerting/delivery.ts';
import { NOON } from '../../domain/service/event.testing.ts';
import { UNFILTERED } from '../../domain/watches/watch.ts';
import { countDeliveries } from './count-deliveries.ts';
import type { DeliveryPublisher } from './deliver-messages.ts';

const CONTENT: WatchEndedContent = {
  kind: 'watch-ended',
  id: 'm1',
  channel: 'U1',
  watch: { id: 'w1', channel: 'C1', number: 1, createdAt: NOON, createdBy: 'U1', settings: UNFILTERED },
  why: 'channel-left',
};
const POSTED = { id: 'm1', channel: 'U1', ts: '1.1', fingerprint: 'f', attempt: 1, claimedAt: NOON };

test('counts the outcome of each attempt and passes it on', async () => {
  const counted: string[] = [];
  const publisher: DeliveryPublisher = {
    post: async (_, { possibleRepeat }) =>
      possibleRepeat ? { outcome: 'unknown' } : { outcome: 'rate-limited', retryAfterMs: 1_000 },
    edit: async () => ({ outcome: 'deleted', reason: 'message_not_found' }),
    find: async () => ({ found: 'no' }),
  };
  const counting = countDeliveries(publisher, (act, outcome) => void counted.push(`${act} ${outcome}`));
  expect(await counting.post(CONTENT, { possibleRepeat: false })).toMatchObject({ retryAfterMs: 1_000 });
  await counting.post(CONTENT, { possibleRepeat: true });
  expect(await counting.edit(CONTENT, POSTED)).toMatchObject({ reason: 'message_not_found' });
  expect(await counting.find({ id: 'm1', channel: 'U1', threadTs: null }, NOON)).toEqual({ found: 'no' });
  expect(counted).toEqual(['post rate-limited', 'post unknown', 'edit deleted', 'find no']);
});
