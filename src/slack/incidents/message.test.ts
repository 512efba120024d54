import { describe, expect, test } from 'vitest';
import type { Assigning, TargetNow } from '../../domain/incidents/incident-actions.ts';
import type { IncidentNow } from '../../domain/incidents/incident-now.ts';
import { aRow, aTally, at, buttonsOf, expectFit, NOON, wordsOf } from '../slack.testing.ts';
import {
  acknowledgingMessage,
  assignedToAnother,
  assignedToYou,
  assigningMessage,
  earlierMessage,
  mutingMessage,
  nowMessage,
  staleMessage,
  typedOverMessage,
  unacknowledgedMessage,
  unmutingMessage,
  yourAcknowledgmentRemoved,
} from './message.ts';

const TARGET = { messageId: 'digest-1', episodeId: 1 };
const ann = { by: 'U0ANN', at: at(357) };
const now = at(360);

describe('an acknowledgment', () => {
  test('is confirmed to the first person', () => {
    expect(wordsOf(acknowledgingMessage({ is: 'done', acknowledged: ann }, TARGET, now))).toMatch(
      /^👀 Acknowledged\. Everyone can see it/,
    );
  });

  test('is shown to a second person as the first one’s', () => {
    const second = acknowledgingMessage({ is: 'already', acknowledged: ann }, TARGET, now);
    expect(wordsOf(second)).toBe('👀 <@U0ANN> acknowledged this 3 s ago.');
    const atOnce = acknowledgingMessage({ is: 'already', acknowledged: ann }, TARGET, at(357.2));
    expect(wordsOf(atOnce)).toBe('👀 <@U0ANN> acknowledged this just now.');
    expectFit(second);
  });

  test('can be removed by anybody, once', () => {
    const on: TargetNow = { episode: aRow(), newest: aRow(), hasEnded: false, cameBack: false, watch: null };
    expect(wordsOf(unacknowledgedMessage({ is: 'done', acknowledged: ann, on }, TARGET, now))).toContain(
      'Unacknowledged for <@U0ANN>',
    );
    expect(wordsOf(unacknowledgedMessage({ is: 'already', unacknowledged: ann }, TARGET, now))).toBe(
      '↩️ <@U0ANN> unacknowledged this 3 s ago.',
    );
    expect(wordsOf(unacknowledgedMessage({ is: 'already', unacknowledged: null }, TARGET, now))).toBe(
      "This isn't acknowledged.",
    );
  });
});

describe('a click on an old row', () => {
  const stale = (newest: IncidentNow) => {
    const on: TargetNow = { episode: aRow(), newest, hasEnded: true, cameBack: true, watch: null };
    const message = staleMessage({ is: 'over', on }, TARGET);
    expectFit(message);
    return message;
  };
  const from = 'This button is from a message of 2026-03-04 12:00 UTC';

  test('shows what the incident has done since, and links to it', () => {
    const recovered = stale(aRow({ state: { is: 'resolved', at: NOON, by: null } }));
    expect(wordsOf(recovered)).toContain(`${from}; it has been resolved since.`);
    expect(buttonsOf(recovered)).toEqual(['Show it as it is now']);
    expect(wordsOf(stale(aRow({ state: { is: 'quiet', since: NOON } })))).toContain(
      `${from}; it has had no failures since 2026-03-04 12:00 UTC.`,
    );
    expect(wordsOf(stale(aRow({ episodeId: 2 })))).toContain(`${from}; it has failed again since`);
    expect(wordsOf(stale(aRow()))).toContain(`${from}; its row is no longer updated.`);
  });

  test('says when nothing of the incident is kept', () => {
    expect(wordsOf(acknowledgingMessage({ is: 'forgotten' }, TARGET, now))).toContain('is no longer kept');
    expect(wordsOf(mutingMessage({ is: 'watch-ended' }))).toContain('The watch that sent this message was removed');
  });

  test("shows the incident's current row with its buttons", () => {
    const newest = aRow({ episodeId: 2, tally: aTally({ failures: 7 }), acknowledged: ann });
    const message = nowMessage({ episode: aRow(), newest, hasEnded: true, cameBack: true, watch: null }, 'digest-1');
    expect(wordsOf(message)).toContain('7 failures in 3 min');
    expect(wordsOf(message)).toContain('Unacknowledge');
    expect(message.text).toContain('7 failed');
    expectFit(message);
  });
});

test.each([
  [true, '#1 is over; its cause came back as #2:'],
  [false, '#1 went on as #2:'],
])('a number of an earlier episode is explained above the newest one (came back: %s)', (cameBack, words) => {
  const on = { episode: aRow(), newest: aRow({ episodeId: 2 }), hasEnded: true, cameBack, watch: null };
  const message = nowMessage(on, null, earlierMessage(on));
  expect(wordsOf(message).split('\n')[0]).toBe(words);
  // No message of a watch has it, so there's no watch to mute it in.
  expect(wordsOf(message)).not.toContain('Mute…');
  expectFit(message);
  expect(earlierMessage({ ...on, newest: on.episode })).toBeNull();
});

test.each<[string, Partial<TargetNow>, string]>([
  ['is resolved', { episode: aRow({ state: { is: 'resolved', at: NOON, by: null } }) }, "it's resolved."],
  ['went quiet', { hasEnded: true }, 'it has had no failures for a day.'],
])('a command for an incident that %s says so, and nothing of a button', (_which, change, why) => {
  const on = { episode: aRow(), newest: aRow(), hasEnded: false, cameBack: false, watch: null, ...change };
  expect(wordsOf(typedOverMessage(on))).toBe(`Nothing was changed in #1: ${why}`);
});

test('a command for an outage whose cause came back names the new one', () => {
  const on = { episode: aRow(), newest: aRow({ episodeId: 2 }), hasEnded: true, cameBack: true, watch: null };
  expect(wordsOf(typedOverMessage(on))).toBe('#1 is over; its cause came back as #2:');
});

describe('a mute', () => {
  test('shows when it ends and what happens then', () => {
    const mute = { by: 'U0ANN', from: NOON, until: at(7_200) };
    const message = mutingMessage({ is: 'muted', mute });
    expect(wordsOf(message)).toMatch(
      /^🔕 Muted in this watch until 2026-03-04 14:00 UTC\. You'll get what you missed then/,
    );
    expectFit(message);
  });

  test('is ended, or was already over', () => {
    expect(wordsOf(unmutingMessage({ is: 'unmuted' }))).toMatch(/^🔔 Unmuted/);
    expect(wordsOf(unmutingMessage({ is: 'was-not-muted' }))).toBe('This is no longer muted.');
  });
});

describe('an assignment', () => {
  const on: TargetNow = {
    episode: aRow(),
    newest: aRow({ acknowledged: ann }),
    hasEnded: false,
    cameBack: false,
    watch: null,
  };

  test('is confirmed with the assignee and whether they were informed', () => {
    const assigned = { to: 'U0BEN', by: 'U0ANN', at: NOON };
    const done = { is: 'done', on, assigned, before: null } as const;
    expect(wordsOf(assigningMessage(done, TARGET, { isInformed: true, now }))).toBe('🙋 Assigned to <@U0BEN>.');
    expect(wordsOf(assigningMessage(done, TARGET, { isInformed: false, now }))).toContain('let them know');
  });

  test('is confirmed with the person who had it until now, or who has it already', () => {
    const [before, assigned] = ['U0CAT', 'U0BEN'].map((to) => ({ to, by: 'U0ANN', at: NOON }));
    const words = (done: Assigning) => wordsOf(assigningMessage(done, TARGET, { isInformed: true, now }));
    if (before === undefined || assigned === undefined) throw new Error('there are two');
    expect(words({ is: 'done', on, assigned, before })).toBe('🙋 Assigned to <@U0BEN>. <@U0CAT> had it until now.');
    expect(words({ is: 'already', assigned })).toBe('🙋 <@U0BEN> has this already: <@U0ANN> assigned it 6 min ago.');
  });

  test('to another person reaches the one who had it', () => {
    const message = assignedToAnother(on, { to: 'U0CAT', by: 'U0ANN' });
    expectFit(message);
    expect(wordsOf(message)).toContain('🙋 <@U0ANN> assigned this incident, which you had, to <@U0CAT>.\n🔴 Email');
    const own = wordsOf(assignedToAnother(on, { to: 'U0ANN', by: 'U0ANN' }));
    expect(own).toContain('🙋 <@U0ANN> took over this incident from you.\n🔴 Email');
  });

  test('reaches the assignee with the incident and its actions', () => {
    const message = assignedToYou(on, 'U0ANN');
    expectFit(message);
    expect(wordsOf(message)).toMatch(
      /^🙋 <@U0ANN> assigned this incident to you\.\n🔴 Email · SendGrid — order-shipped · production · #1\n/,
    );
    expect(wordsOf(message)).toContain('Unacknowledge');
  });

  test('the notice of a removed acknowledgment names who removed it', () => {
    const words = wordsOf(yourAcknowledgmentRemoved(on, 'U0BEN'));
    expect(words).toContain('↩️ <@U0BEN> unacknowledged this incident, which you had acknowledged.');
    expect(words).toContain('\nAcknowledge');
  });
});
