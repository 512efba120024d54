import { expect, test } from 'vitest';
import { judge } from '../../domain/failures/judge.ts';
import { StoreTroubleError } from '../../domain/health/store-trouble.ts';
import { aFailedEvent } from '../../domain/service/event.testing.ts';
import { resolve } from '../../incidents/actions.ts';
import { PRODUCTION } from '../../slack/slack.testing.ts';
import { at, recordFailures } from '../../store/examples.testing.ts';
import { describeStore, silent } from '../../store/store.testing.ts';
import { incidentsOfEvent } from './incidents-of-event.ts';

describeStore('The incidents of an event', (store) => {
  const EVENT = { environment: PRODUCTION, judgement: judge(aFailedEvent(), at(1)) };
  const parts = () => ({ db: store().database, logger: silent, now: () => at(1) });

  test('are the open ones that its failures belong to, each once', async () => {
    const { failures } = EVENT.judgement;
    await recordFailures(store(), at(0), [
      ...failures,
      ...failures.map((failure) => ({ ...failure, detailId: 'another attempt' })),
      ...failures.map((failure) => ({ ...failure, eventKey: 'another', provider: 'ses' })),
    ]);
    const found = await incidentsOfEvent(EVENT, parts());
    expect(found.map(({ tally }) => [tally.kind.provider, tally.failures])).toEqual([['sendgrid', 2]]);
    const target = { incidentId: found[0]?.id ?? 0, messageId: null };
    await resolve({ ...parts(), wakeDelivery: async () => {} }, target, 'U0ANN');
    expect(await incidentsOfEvent(EVENT, parts())).toEqual([]);
  });

  test('are none while the store is failing, so that the event is still shown', async () => {
    const refusing = (error: Error) => ({ ...parts(), db: { ...store().database, rows: () => Promise.reject(error) } });
    expect(await incidentsOfEvent(EVENT, refusing(new StoreTroubleError('not-answering')))).toEqual([]);
    await expect(incidentsOfEvent(EVENT, refusing(new TypeError('a mistake')))).rejects.toThrow('a mistake');
  });
});
