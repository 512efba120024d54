import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { stateAnswered } from '../src/domain/triggers/trigger.ts';
import { MOST_EVENTS } from '../src/domain/triggers/trigger-plan.ts';
import { TRIGGER_STATUSES } from './contract.ts';
import { ROOT } from './source-code.ts';

const page = readFileSync(join(ROOT, 'docs/trigger.md'), 'utf8');

test('docs/trigger.md explains each status of a row, and the bot knows each', () => {
  const told = [...page.matchAll(/^\| `([a-z_]+)` \|/gm)].map(([, status]) => status ?? '');
  expect(told.toSorted()).toEqual(TRIGGER_STATUSES.toSorted());
  for (const status of told.filter((one) => one !== 'processed')) {
    expect(stateAnswered({ acknowledged: true, status, errors: [], transactionId: null })).toMatchObject({
      is: 'refused',
      status,
    });
  }
});

test('docs/trigger.md says how many events one request can have', () => {
  expect(page).toContain(`up to ${MOST_EVENTS} events`);
});
