import { describe, expect, test } from 'vitest';
import type { LineEvent, LineTurn } from '../../../alerts/content.ts';
import { explainCause } from '../../../causes/explain-cause.ts';
import type { TimelineEntry } from '../../../incidents/timeline.ts';
import { anEnvironment } from '../../../lib/environment.testing.ts';
import { aSending } from '../../../sendings/sending.testing.ts';
import { aWatch } from '../../../watches/watch.testing.ts';
import { anIncident, at, buttonsOf, expectFit, NOON, wordsOf } from '../../slack.testing.ts';
import type { ContentOf } from './content.ts';
import { pagerWords } from './pager-words.ts';
import { contentMessage } from './publisher.ts';

const production = anEnvironment({ label: 'Production' });
const OPTIONS = { environments: [production], explainCause };

test.for([
  [
    'U0ANN',
    '⚠️ Your watch in <#C0ONCALL> was removed: the channel is archived.\nIt no longer sends alerts. Unarchive the channel, then create it again there: /notif watch.\nAll failures, in all environments\nalerts right away · daily summary at 09:00 · times in UTC',
  ],
  [
    null,
    "⚠️ Alerts for <#C0ONCALL> can't be posted: the channel is archived.\nUnarchive the channel, or set NOTIF_DIGEST_CHANNEL to another channel. Notif keeps trying; nothing is lost.",
  ],
] as const)('The end of a watch made by %s comes with what to do', ([createdBy, words]) => {
  const watch = aWatch({ createdBy });
  const message = contentMessage(
    { kind: 'watch-ended', id: 'm', channel: 'U0ANN', why: 'channel-archived', watch },
    OPTIONS,
  );
  expectFit(message);
  expect(wordsOf(message)).toBe(words);
});

test("A pager gets words, in which nothing is markup of Slack's", () => {
  const incident = { provider: 'sms<@U0ANN>*x*', channel: 'sms', headline: '&lt;!channel&gt; &amp; :fire: refused' };
  expect(pagerWords(anIncident(incident), explainCause).summary).toBe(
    'SMS via sms‹@U0ANN›∗x∗ fails: ‹!channel› & ∶fire: refused (401)',
  );
  const away = { cause: { key: 'unavailable', text: 'Service unavailable (503)' } };
  expect(pagerWords(anIncident(away), explainCause).nextStep).toBe(
    "Provider: Wait. If it lasts, check the provider's status page. Status page: https://status.sendgrid.com/",
  );
});

const ANN = 'U0ANN';

describe("A line in an alert's thread", () => {
  const said = (event: LineEvent, incidents = [anIncident()]) =>
    drawn(incidents.map((incident) => ({ event, incident })));
  const drawn = (turns: readonly LineTurn[]) => {
    const line = { kind: 'line', id: 'm', channel: 'C1', isBroadcast: false, mention: null, isNamed: true } as const;
    const message = contentMessage({ ...line, turns }, OPTIONS);
    expectFit(message);
    return message;
  };
  const entryOf = (change: TimelineEntry['change'], entry: Partial<TimelineEntry> = {}): LineEvent => {
    return {
      is: 'entry',
      entry: { id: 1, incidentId: 1, at: NOON, actor: null, channel: null, outbreak: 1, change, ...entry },
    };
  };
  const span = { from: at(12), to: at(192) };
  const ended = { action: 'ended', ending: 'recovered', ...span, failures: 48, subscribers: 47 } as const;
  const ending = entryOf({ ...ended, isAtLeast: false, verdicts: ['failed'] }, { at: at(400) });

  test('says of a resolved incident how much it was, and for how long', () => {
    const state = { is: 'resolved', at: at(400), actor: null } as const;
    expect(wordsOf(said(ending, [anIncident({ state })]))).toBe(
      '✅ Resolved: recovered at 12:06 UTC · #1 · Email via SendGrid: API key refused (401) · 48 failures · 47 people · 12:00 UTC–12:03 UTC\nTimeline\nSend again…',
    );
  });

  test('says of each of several incidents how much it was, and for how long', () => {
    const other = { id: 2, beganAt: at(72), lastAt: at(110), failures: 7, isAtLeast: false };
    const words = wordsOf(
      drawn([
        { event: ending, incident: anIncident({ beganAt: at(0), lastAt: at(180), failures: 48 }) },
        { event: ending, incident: anIncident(other) },
      ]),
    );
    expect(words).toMatch(/#1 .* 48 failures .*12:00 UTC–12:03 UTC/);
    expect(words).toMatch(/#2 .* 7 failures [^–]*12:01 UTC$/m);
  });

  test('says of which outbreak what was found later', () => {
    const found = entryOf({ action: 'found-later', failures: 1, of: 43 });
    expect(wordsOf(said(found))).not.toContain('outbreak');
    const words = wordsOf(said(found, [anIncident({ outbreak: 2 })]));
    expect(words).toContain('+1 found later: 43 failures');
    expect(words).toContain('in the outbreak before');
  });

  test('says who did what', () => {
    const assigned = said(entryOf({ action: 'assigned', to: ANN }, { actor: 'U0BEN' }));
    expect(wordsOf(assigned)).toContain('🙋 Assigned to <@U0ANN> by <@U0BEN>');
    const taken = said(entryOf({ action: 'assigned', to: ANN }, { actor: ANN }));
    expect(wordsOf(taken)).toContain('🙋 Assigned to <@U0ANN> at');
  });

  test.each<[LineEvent, string]>([
    [entryOf({ action: 'critical', workflow: null }), '🔴 A critical workflow fails at 12:00 UTC · #1 · '],
    [{ is: 'grown', at: NOON }, '📈 Up 10× or more at 12:00 UTC · #1 · '],
    [
      entryOf({ action: 'failing-again', failedAt: NOON, isBrief: false }),
      '🔴 Failing again since 12:00 UTC · #1 · Email via SendGrid: API key refused (401)',
    ],
    [
      entryOf({ action: 'unreached', to: ANN, code: 'user_disabled' }),
      '📵 <@U0ANN> got no direct message about it: the account is deactivated (user_disabled) · #1 · ',
    ],
  ])('says what became of it by itself: %j', (event, words) => {
    expect(wordsOf(said(event))).toContain(words);
  });

  test('asks to acknowledge what still is not', () => {
    const line = said({ is: 'escalated', at: NOON });
    expect(wordsOf(line)).toContain('⏰ Still not acknowledged at 12:00 UTC · #1 · ');
    expect(buttonsOf(line)).toContain('Acknowledge');
  });

  test('names ten incidents, and counts the rest', () => {
    const many = Array.from({ length: 13 }, () => anIncident());
    const words = wordsOf(said(ending, many));
    expect(words.match(/Resolved/g)).toHaveLength(10);
    expect(words).toContain('3 more');
  });
});

test('A direct message says what concerns the person, above the incident with its actions while it is the newest', () => {
  const news = { what: 'taken', actor: ANN, to: 'U0CAT' } as const;
  const drawn = (incident: ContentOf<'personal'>['incident']) => {
    const title = anIncident();
    const told = { kind: 'personal', id: 'm', channel: 'U0BEN', news, at: title.asOf, incident, title } as const;
    const message = contentMessage(told, OPTIONS);
    expectFit(message);
    return wordsOf(message);
  };
  const words = '🙋 <@U0ANN> assigned this incident, which you had, to <@U0CAT>.';
  expect(drawn(anIncident()).split('\n').slice(0, 2)).toEqual([
    words,
    '🔴 Email via SendGrid fails: API key refused (401) · Production · #1',
  ]);
  expect(drawn(anIncident())).toContain('Acknowledge');
  expect(drawn(null)).toBe(`${words}\n#1 · Email via SendGrid: API key refused (401)`);
});

const sentAgain = (parts: Partial<ContentOf<'resend'>>, sending: Partial<ContentOf<'resend'>['sending']> = {}) => {
  const content = { kind: 'resend', id: 'm', channel: 'C1', incidentId: 1, code: null, lastSentAt: NOON } as const;
  const message = contentMessage(
    { ...content, sending: aSending(sending), counts: {}, accepted: 0, reasons: [], ...parts },
    OPTIONS,
  );
  expectFit(message);
  return wordsOf(message);
};

test('What is sent again counts as unclear until it was found, and as no success until it is final', () => {
  const words = sentAgain({ counts: { sending: 50, unclear: 10, delivered: 40 }, accepted: 40 });
  expect(words).toContain('· 40 of 100 got it · 60 not known: it may have gone through');
  const open = sentAgain({ counts: { sent: 50 }, accepted: 50 }, { endedAt: NOON });
  expect(open).toMatch(/^⚠️ Sent again .* · 0 of 50 got it · 50 not final yet$/m);
});

test('What is sent again and was stopped after all of it was sent was not stopped', () => {
  const words = sentAgain(
    { counts: { delivered: 50 }, accepted: 50 },
    { stoppedAt: NOON, stoppedBy: 'U0ANN', endedAt: NOON },
  );
  expect(words).toMatch(/^✅ Sent again .* · 50 of 50 got it$/m);
  expect(words).not.toContain('Stopped');
});

test('What is sent again says how many got it and what became of the others, who are a click away', () => {
  const words = sentAgain({ counts: { delivered: 62, failed: 4, refused: 2, sent: 1, waiting: 1 }, accepted: 67 });
  expect(words).toContain(' · 62 of 70 got it · 2 not sent · 4 failed again · 2 pending\n');
  expect(words).toContain('View the rest');
  expect(sentAgain({ counts: { delivered: 70 }, accepted: 70 })).not.toContain('View the rest');
});

const SEND_REST = 'Send the rest…';

test.each([
  [{ delivered: 9, failed: 1 }, true],
  [{ delivered: 9, sending: 1 }, true],
  [{ delivered: 9, sent: 1 }, false],
  [{ delivered: 9, 'left-out': 1 }, false],
])('What is sent again and became %j offers to send the rest, if it can be sent: %s', (counts, isSaid) => {
  expect(sentAgain({ counts, accepted: 10 }, { endedAt: NOON }).includes(SEND_REST)).toBe(isSaid);
  expect(sentAgain({ counts, accepted: 10 })).not.toContain(SEND_REST);
});

const REFUSED = { state: 'refused', why: "the workflow isn't active", events: 12 } as const;

test('What is sent again and refused too often says why, and what to do', () => {
  const words = sentAgain({ counts: { refused: 12 }, reasons: [REFUSED] }, { stoppedAt: NOON, endedAt: NOON });
  expect(words).toContain('🛑 Stopped sending again what #1 broke in Production · 0 of 12 got it · 12 not sent');
  expect(words).toContain('Stopped by itself: too many were refused.');
  expect(words).toContain("12 not sent: the workflow isn't active");
  expect(words).toContain(SEND_REST);
});
