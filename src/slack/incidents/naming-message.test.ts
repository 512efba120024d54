import { expect, test } from 'vitest';
import { aRow, wordsOf } from '../slack.testing.ts';
import { noSuchIncidentMessage, severalMessage } from './naming-message.ts';

test('asks which incident, by the number to type', () => {
  const row = aRow({ episodeId: 14 });
  const open = [{ episode: row, newest: row, hasEnded: false, cameBack: false, watch: null }];
  expect(wordsOf(severalMessage({ targets: open, total: 1, by: 'names' }, 'ack'))).toMatch(
    /^Which incident\? 1 is open: \/notif ack #14\.\n/,
  );
  expect(wordsOf(severalMessage({ targets: open, total: 3, by: 'names' }, 'ack'))).toMatch(
    /^Which incident\? 3 are possible\. Use a number: \/notif ack #14\.\n/,
  );
  expect(wordsOf(severalMessage({ targets: open, total: 1, by: 'numbers' }, 'ack'))).toMatch(
    /^\/notif ack takes one incident at a time: \/notif ack #14\.\n/,
  );
});

test('says how to look elsewhere if nothing is open', () => {
  expect(wordsOf(noSuchIncidentMessage(['sendgrid'], { is: 'none', nearest: null, open: 0 }, 'ack', 'staging'))).toBe(
    '⚠️ No incident is open in staging. Add env: to look in another one.',
  );
});

test('names the environment in which no incident is called so', () => {
  expect(
    wordsOf(noSuchIncidentMessage(['twilio'], { is: 'none', nearest: null, open: 2 }, 'ack', 'staging')),
  ).toContain('No open incident in staging is called twilio.');
});
