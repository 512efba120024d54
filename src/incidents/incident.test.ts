import { expect, test } from 'vitest';
import { anIncident, at } from '../slack/slack.testing.ts';
import { compareIncidents, type IncidentNow } from './incident.ts';

const ALL = { since: at(0), failed: 9, tried: 9 };
test.each<[first: string, IncidentNow, IncidentNow]>([
  ['a real one before a critical test', anIncident(), anIncident({ critical: true, isTest: true })],
  ['a critical one before a total one', anIncident({ critical: true }), anIncident({ attempts: ALL })],
  ['a total one before one with more failures', anIncident({ attempts: ALL }), anIncident({ failures: 99 })],
  ['one with more failures before a newer one', anIncident({ failures: 49 }), anIncident({ lastAt: at(999) })],
  ['the newer one', anIncident({ lastAt: at(6), id: 2 }), anIncident({ lastAt: at(5), id: 1 })],
  ['the first of two alike', anIncident({ id: 1 }), anIncident({ id: 2 })],
])('the incidents of a message begin with %s', (_, first, second) => {
  expect([second, first].sort(compareIncidents)).toEqual([first, second]);
  expect([first, second].sort(compareIncidents)).toEqual([first, second]);
});
