import { expect, test } from 'vitest';
import { groupOf } from '../../domain/failures/failure.ts';
import { judge } from '../../domain/failures/judge.ts';
import { StoreTroubleError } from '../../domain/health/store-trouble.ts';
import type { StateNow } from '../../domain/incidents/episode.ts';
import { aFailedEvent, at } from '../../domain/service/event.testing.ts';
import { aRow, PRODUCTION } from '../../slack/slack.testing.ts';
import { incidentsOfEvent } from './incidents-of-event.ts';

const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
const EVENT = { environment: PRODUCTION, judgement: judge(aFailedEvent(), at(60)) };

function incidentsWhere(firstSeen: Date, state: StateNow = { is: 'firing' }) {
  const row = aRow();
  const incident = { ...row, state, tally: { ...row.tally, firstSeen } };
  const keys = EVENT.judgement.failures.map((failure) => groupOf(PRODUCTION.name, failure).key);
  const store = {
    incidentsOf: async (asked: readonly string[]) =>
      new Map(asked.filter((key) => keys.includes(key)).map((key) => [key, incident])),
  };
  return incidentsOfEvent(EVENT, { store, logger: silent, now: () => at(60) });
}

test('finds none while the store is failing, so that the event is still shown', async () => {
  const refusing = (error: Error) => ({ incidentsOf: () => Promise.reject(error) });
  const asked = (error: Error) =>
    incidentsOfEvent(EVENT, { store: refusing(error), logger: silent, now: () => at(60) });
  expect(await asked(new StoreTroubleError('not-answering'))).toEqual([]);
  await expect(asked(new TypeError('a mistake'))).rejects.toThrow('a mistake');
});

test("finds a failure's open incident, once", async () => {
  expect(await incidentsWhere(at(-60))).toMatchObject([{ episodeId: aRow().episodeId }]);
});

test('leaves out a resolved incident', async () => {
  expect(await incidentsWhere(at(-60), { is: 'resolved', at: at(50), by: null })).toEqual([]);
});

test('leaves out an incident that began after the failure', async () => {
  expect(await incidentsWhere(at(59))).toEqual([]);
});
