import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { GROWTH, MOST_TURNS, SAME_INCIDENT_MS, URGENT_EVERY_MS } from '../src/domain/alerting/alert-decision.ts';
import {
  BEGIN_WITHIN_MS,
  CALM_REDRAWN_EVERY_MS,
  COUNTS_A_MINUTE,
  EDIT_EVERY_MS,
  EDITS_A_MINUTE,
  LIVELY_MS,
  LONGEST_RETRY_MS,
  LOOK_AGAIN_MS,
  POSTING_LEASE_MS,
  pauseBeforePost,
  TRY_EDIT_EVERY_MS,
  UNTIL_FIXED_MS,
} from '../src/domain/alerting/pace.ts';
import { QUIET_MS, RECOVERING_MS } from '../src/domain/incidents/incident.ts';
import { describeDuration } from '../src/domain/time/time-range.ts';
import { ROOT } from './source-code.ts';

const IN_WORDS = ['no', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'];
const inWords = (count: number) => IN_WORDS[count] ?? `${count}`;
const seconds = (ms: number) => `${ms / 1_000} seconds`;
const minutes = (ms: number) => `${ms / 60_000} minutes`;
const minutesInWords = (ms: number) => `${inWords(ms / 60_000)} minutes`;
const halfHours = (ms: number) => (ms === 30 * 60_000 ? 'half hour' : minutes(ms));

/** What the docs say of the numbers in the code: the sentence that states each, not every one that repeats it. */
const STATED = {
  'docs/guarantees.md': [
    `A claim (a lease) lasts ${seconds(POSTING_LEASE_MS)}`,
    `can't start sending within ${seconds(BEGIN_WITHIN_MS)} of its claim`,
    `more than ${seconds(LOOK_AGAIN_MS)} after its answer was lost`,
    `after ${[1, 2, 3].map((attempt) => describeDuration(pauseBeforePost(attempt))).join(', ')} … up to ${minutes(LONGEST_RETRY_MS)}`,
    `never ends: Notif retries every ${minutes(LONGEST_RETRY_MS)}`,
    `edits wait ${minutes(UNTIL_FIXED_MS)} at a time`,
    `tries one edit there every ${halfHours(TRY_EDIT_EVERY_MS)}`,
    `counts at most every ${seconds(EDIT_EVERY_MS)}`,
    `make at most ${EDITS_A_MINUTE} edits in any minute over all channels, of which counts take at most ${COUNTS_A_MINUTE}`,
    `redrawn each minute, each ${minutesInWords(CALM_REDRAWN_EVERY_MS)} where it hasn't failed for ${inWords(LIVELY_MS / 60_000)}`,
    `${inWords(GROWTH)} times the failures of the last alert | grown, ${SAME_INCIDENT_MS / 60_000} min after`,
    `it has failed ${inWords(GROWTH)} times as often as when`,
    `at most once in ${minutes(SAME_INCIDENT_MS)} for an incident`,
    `more than ${inWords(MOST_TURNS)} messages in ${minutes(SAME_INCIDENT_MS)}`,
    `${minutes(URGENT_EVERY_MS)} after the last message about it at the earliest`,
    `relapsed, ${URGENT_EVERY_MS / 60_000} min after the last at the earliest`,
    `at most one message in ${minutesInWords(URGENT_EVERY_MS)}`,
    `no failure for ${describeDuration(RECOVERING_MS)}, enough successes`,
    `quiet: ${describeDuration(QUIET_MS)} without a failure`,
  ],
  'docs/watches.md': [
    `grew ${GROWTH === 10 ? 'tenfold' : `${GROWTH}-fold`}`,
    `an incident at most once in ${minutes(SAME_INCIDENT_MS)}, a relapse at most once in ${inWords(URGENT_EVERY_MS / 60_000)}`,
  ],
  'docs/runbook.md': [`Notif retries every ${minutesInWords(LONGEST_RETRY_MS)}`],
};

const texts = Object.fromEntries(
  Object.keys(STATED).map((page) => [page, readFileSync(join(ROOT, page), 'utf8').replace(/\s+/g, ' ')]),
);

test.each(Object.entries(STATED).flatMap(([page, all]) => all.map((words) => ({ page, words }))))(
  '$page says: $words',
  ({ page, words }) => {
    // Not the page's text: a failure would print all of it.
    expect(texts[page]?.includes(words), `change ${page}: ${words}`).toBe(true);
  },
);
