import { describe, expect, test } from 'vitest';
import { judge } from '../failures/judge.ts';
import { aFailedEvent, anEvent, at } from '../service/event.testing.ts';
import { addToTally, emptyTally } from './transaction.ts';

const tallyOf = (events: ReturnType<typeof anEvent>[]) =>
  events.reduce((tally, event) => addToTally(tally, event, judge(event, at(60))), emptyTally('txn_1'));

describe('the tally of a transaction', () => {
  test('has events by verdict, causes by channel and provider, and topics', () => {
    const tally = tallyOf([aFailedEvent(), aFailedEvent(), anEvent({ topicKeys: ['launch'] })]);
    expect(tally).toMatchObject({ events: 3, counts: { failed: 2, delivered: 1 }, topicKeys: ['launch'] });
    expect([...tally.causes.values()]).toMatchObject([{ channel: 'email', provider: 'sendgrid', failures: 2 }]);
  });

  test('lists the most severe first, each kind in the order of arrival', () => {
    const events = [anEvent({ id: 'a' }), aFailedEvent({ id: 'b' }), anEvent({ id: 'c' }), aFailedEvent({ id: 'd' })];
    expect(tallyOf(events).listed.map(({ eventId }) => eventId)).toEqual(['b', 'd', 'a', 'c']);
  });

  test('keeps two hundred of ten thousand events, including the failed ones', () => {
    const delivered = Array.from({ length: 3000 }, (_, i) => anEvent({ id: `fine-${i}` }));
    const { listed, events } = tallyOf([...delivered, aFailedEvent({ id: 'the one' })]);
    expect(events).toBe(3001);
    expect(listed).toHaveLength(200);
    expect(listed[0]?.eventId).toBe('the one');
  });
});
