import { describe, expect, test } from 'vitest';
import type { Failure } from '../../domain/failures/failure.ts';
import { ALL_FAILURES, type FailureFilter } from '../../domain/failures/failure-filter.ts';
import type { HistoryQuery } from '../../use-cases/incidents/list-history.ts';
import { at, checkedTo, failure, recordFailures } from '../examples.testing.ts';
import { describeStore } from '../store.testing.ts';

const DAYS = 24 * 60;
const QUERY: HistoryQuery = {
  environment: 'production',
  filter: ALL_FAILURES,
  since: at(-1),
  olderThan: null,
  limit: 9,
};

describeStore('the history of incidents', (store) => {
  const fails = (minutes: number, change: Partial<Failure> = {}) =>
    recordFailures(store(), at(minutes), [
      failure({ eventKey: `event-${minutes}`, occurredAt: at(minutes), ...change }),
    ]);
  const cause = (text: string) => ({ cause: { text, key: text } });
  const listed = (change: Partial<HistoryQuery> = {}, now = 10 * DAYS) =>
    store().incidents.history({ ...QUERY, ...change }, at(now));
  const causes = async (change: Partial<HistoryQuery> = {}) =>
    (await listed(change)).incidents.map(({ now }) => now.tally.group.cause.text);

  test('lists episodes, the last to begin first, page by page', async () => {
    for (const [index, name] of ['a', 'b', 'c', 'd', 'e'].entries()) await fails(index, cause(name));
    const first = await listed({ limit: 2 });
    expect(first.hasOlder).toBe(true);
    expect(first.incidents.map(({ now }) => now.tally.group.cause.text)).toEqual(['e', 'd']);
    const olderThan = first.incidents[1]?.now.episodeId ?? 0;
    expect(await causes({ limit: 2, olderThan })).toEqual(['c', 'b']);
    expect((await listed({ limit: 3, olderThan })).hasOlder).toBe(false);
  });

  test('says which episode came next, and why', async () => {
    await fails(0);
    await checkedTo(store(), at(DAYS));
    await fails(2 * DAYS);
    const { incidents } = await listed();
    expect(incidents.map(({ next }) => next)).toEqual([
      null,
      { episodeId: incidents[0]?.now.episodeId, beganAs: 'back' },
    ]);
  });

  test('says so of the same incident, whatever else began between', async () => {
    await fails(0, cause('a'));
    await fails(1, cause('b'));
    await fails(2 * DAYS, cause('a'));
    const { incidents } = await listed();
    expect(incidents.map(({ next }) => next?.episodeId)).toEqual([undefined, undefined, incidents[0]?.now.episodeId]);
  });

  test('has the newest notes of each, and how many more there are', async () => {
    await fails(0);
    const episodeId = (await listed()).incidents[0]?.now.episodeId ?? 0;
    for (const minute of [1, 2, 3, 4, 5]) {
      const note = { by: 'U0ANN', at: at(minute), text: `note ${minute}` };
      await store().incidents.addNote({ messageId: null, episodeId }, note);
    }
    await fails(6, cause('other'));
    const [other] = (await listed()).incidents;
    const note = { by: 'U0ANN', at: at(7), text: 'note 7' };
    await store().incidents.addNote({ messageId: null, episodeId: other?.now.episodeId ?? 0 }, note);
    const { incidents } = await listed();
    expect(incidents.map(({ notes, moreNotes }) => [notes.map(({ text }) => text), moreNotes])).toEqual([
      [['note 7'], 0],
      [['note 5', 'note 4', 'note 3'], 2],
    ]);
  });

  test('leaves out what is of another environment, ended before, or is never announced', async () => {
    await fails(0, cause('early'));
    await fails(10, cause('late'));
    await fails(11, { ...cause('noise'), verdict: 'undeliverable' });
    expect(await causes({ since: at(5) })).toEqual(['late']);
    expect(await causes({ environment: 'staging' })).toEqual([]);
  });

  test('has incidents of warnings, which only some watches are alerted to, if it is asked for them', async () => {
    await fails(0, cause('outage'));
    await fails(1, { ...cause('delay'), verdict: 'warning' });
    const verdicts = (asked: FailureFilter['verdicts']) => causes({ filter: { ...ALL_FAILURES, verdicts: asked } });
    expect(await causes()).toEqual(['outage']);
    expect(await verdicts(['warning'])).toEqual(['delay']);
    expect(await verdicts(['warning', 'failed'])).toEqual(['delay', 'outage']);
    expect(await verdicts(['failed'])).toEqual(['outage']);
  });

  describe('with a filter', () => {
    test.each<[string, Partial<FailureFilter>, string[]]>([
      ['a workflow, whatever its case', { workflows: ['LOGIN-alert'] }, ['two', 'one']],
      ['a provider', { providers: ['ses'] }, ['two']],
      ['a subscriber', { subscribers: ['anna'] }, ['one']],
      ['a tag', { tags: ['checkout'] }, ['two']],
      ['two things, both of one failure', { subscribers: ['anna'], workflows: ['order-shipped'] }, []],
      ['what was never seen', { contexts: ['tenant:acme'] }, []],
    ])('has the episodes with a matching failure: %s', async (_, filter, expected) => {
      await fails(0, cause('one'));
      await fails(1, { ...cause('one'), workflow: 'login-alert', workflowName: null, subscriberId: 'anna' });
      await fails(2, {
        ...cause('two'),
        workflow: 'login-alert',
        workflowName: null,
        provider: 'ses',
        tags: ['Checkout'],
      });
      expect(await causes({ filter: { ...ALL_FAILURES, ...filter } })).toEqual(expected);
    });

    test('considers only the failures of the episode itself, not those of the previous one', async () => {
      await fails(0, { subscriberId: 'anna' });
      await fails(2 * DAYS, { subscriberId: 'ben' });
      const begunOf = async (subscriber: string) =>
        (await listed({ filter: { ...ALL_FAILURES, subscribers: [subscriber] } })).incidents.map(
          ({ now }) => now.tally.firstSeen,
        );
      expect(await begunOf('anna')).toEqual([at(0)]);
      expect(await begunOf('ben')).toEqual([at(2 * DAYS)]);
    });
  });
});
