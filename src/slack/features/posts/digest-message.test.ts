import { describe, expect, test } from 'vitest';
import type { DigestRow } from '../../../alerts/content.ts';
import { explainCause } from '../../../causes/explain-cause.ts';
import { aChange, aDeploy, anIntegrationChange } from '../../../changes/changes.testing.ts';
import type { Gap } from '../../../coverage/gap.ts';
import type { IncidentNow, Outage } from '../../../incidents/incident.ts';
import { parseCommandText } from '../../../lib/input/filters.ts';
import { DAY_MS } from '../../../lib/time/durations.ts';
import type { IncidentCtx } from '../../incident-view/incident-row.ts';
import { cursorNumber, parseRun, RUN } from '../../kit/buttons.ts';
import { parseFailureRequest } from '../../router/failure-command.ts';
import {
  aDigest,
  aLine,
  anIncident,
  aRow,
  at,
  buttonsOf,
  buttonValue,
  CTX,
  expectFit,
  HOSTILE,
  NOON,
  PRODUCTION,
  wordsOf,
} from '../../slack.testing.ts';
import type { ContentOf } from './content.ts';
import { digestMessage } from './digest-message.ts';
import { pushText } from './push-text.ts';

const environment = { ...PRODUCTION, label: 'Production' };
const messageOf = (change: Partial<ContentOf<'digest'>>, options: Partial<IncidentCtx> = {}) => {
  const drawing = { environments: [environment], explainCause, ...options };
  const message = digestMessage(aDigest(change), drawing);
  expectFit(message);
  return message;
};
const linesOf = (change: Partial<ContentOf<'digest'>>, options?: Partial<IncidentCtx>) =>
  wordsOf(messageOf(change, options)).split('\n');
const oneOf = (incident: Partial<IncidentNow>, row: Partial<DigestRow> = {}) =>
  linesOf({ rows: [aRow(incident, row)] });

const gap: Gap = {
  id: 'gap-1',
  environment: 'production',
  cause: 'unreachable',
  beginsAt: NOON,
  endsAt: at(2_100),
  openedAt: at(60),
  closedAt: at(2_400),
  toRead: [],
  givenUp: [],
  events: 3_400,
  failures: 3,
};
/** An incident of a service that can't be read. */
const outage = (change: Partial<Outage> = {}, incident: Partial<IncidentNow> = {}): Partial<IncidentNow> => ({
  kind: 'unreadable',
  outage: { problem: { kind: 'unreachable' }, uncheckedSince: NOON, gap: null, ...change },
  channel: '',
  provider: null,
  headline: 'there was no connection to it',
  attempts: null,
  workflows: [],
  failures: 1,
  failuresInAll: 1,
  subscribers: 0,
  critical: true,
  example: { eventId: null, transactionId: '', subscriberId: null },
  cause: { key: 'unreachable', text: 'there was no connection to it' },
  ...incident,
});
const keyExpired = { text: 'key expired (401)', key: 'key expired' };
const ann = { actor: 'U0ANN', at: at(180) };
const total = { since: at(12), failed: 14, tried: 14 };
/** Everything that a row can have: who has it, a change before it, what its events have in common, … */
const FULL: Partial<IncidentNow> = {
  headline: 'key expired',
  failures: 14,
  subscribers: 48,
  cause: keyExpired,
  attempts: total,
  workflows: [
    { workflow: 'payment-failed', workflowName: null, failures: 4, critical: true, attempts: { failed: 4, tried: 5 } },
  ],
  moreWorkflows: 5,
  changedBefore: [anIntegrationChange(), aDeploy()].map((what) => aChange({ at: at(0), notBefore: at(0), what })),
  shared: { label: { kind: 'tag', value: 'acme' }, events: 14, total: 14, isOfNewest: false, usually: 0.26 },
  acknowledged: ann,
  assignedTo: 'U0BEN',
  note: { ...ann, text: 'new key not in vault yet' },
};

describe('An alert with one incident', () => {
  test('says in its header where, who refuses what and why, then how bad it is, what may explain it, what to do and who has it', () => {
    expect(oneOf(FULL).slice(0, 5)).toEqual([
      '🔴 Production · SendGrid refuses every email: key expired (401)',
      '14 of 14 since 12:00 UTC · 48 people · critical: payment-failed 4 of 5, 5 more workflows · #1',
      '⚙️ SendGrid integration (email): deactivated 12 s before · 🚀 Deploy: checkout 2.3 12 s before · 🏷️ all of them tag acme (26% of traffic)',
      "→ Our credentials: Check or replace the integration's credentials, then send again.",
      '👀 <@U0ANN> 12:03 UTC · 🙋 <@U0BEN> · 📝 “new key not in vault yet” <@U0ANN>',
    ]);
  });

  test('of a service that can’t be read says why, since when nothing is checked and what to do, without a variable', () => {
    expect(oneOf(outage()).slice(0, 4)).toEqual([
      "🔴 Production · Service doesn't answer",
      'there was no connection to it',
      'nothing checked since 12:00 UTC, and probably nothing sent · #1',
      "→ Check that the service runs, the network and the address. Missed failures will be reported once it's back.",
    ]);
    const cause = { key: 'key-refused', text: 'the API key was refused (401)' };
    const refused = { cause, headline: 'the API key was refused', outbreak: 2 };
    expect(oneOf(outage({ problem: { kind: 'key-refused', status: 401 } }, refused)).slice(0, 4)).toEqual([
      "🔴 Production · Events can't be checked again",
      'the API key was refused (401)',
      'nothing checked since 12:00 UTC · #1',
      "→ Check the API key and its permissions. Missed failures will be reported once it's back.",
    ]);
    const limited = oneOf(outage({ problem: { kind: 'rate-limited', retryAfterMs: 1 } }));
    expect(limited[3]).toMatch('→ Raise the poll interval or get a larger plan.');
    expect(buttonsOf(messageOf({ rows: [aRow(outage())] }))).toEqual(['Acknowledge', 'Assign…']);
  });

  const part = { from: at(600), to: at(2_100) };
  test.for<[string, Partial<Gap>]>([
    ['caught up since · 3,400 events checked, 3 failures found', {}],
    ['caught up since · ⚠️ not one event was created in it, which is unusual', { events: 0 }],
    ['caught up since · not one event was created in it', { events: 0, endsAt: at(1_740) }],
    ['⏳ catching up · still to be checked: 2026-03-04 12:10 UTC – 12:35 UTC', { closedAt: null, toRead: [part] }],
    [
      '⚠️ lost: 2026-03-04 12:10 UTC – 12:35 UTC, failures in it were never reported · the rest: 3,400 events checked, 3 failures found',
      { givenUp: [part] },
    ],
  ])('of a service that is read again says %s', ([words, change]) => {
    const state = { is: 'recovering', since: at(2_100) } as const;
    const lines = oneOf(outage({ problem: null, gap: { ...gap, ...change } }, { state, asOf: at(2_400) }));
    expect(lines.slice(0, 2)).toEqual(["⚪ Production · Service didn't answer", 'there was no connection to it']);
    expect(lines[2]?.replace(/^not checked \S+ 12:00 UTC–12:\d\d UTC(: |, | · )/, '')).toBe(`${words} · #1`);
    expect(lines[3]).toBe('⚪ recovering: checked again since 12:35 UTC');
  });

  test('names why and the workflows that it hits in its header if two lines of a phone have room, else below', () => {
    const { workflows } = anIncident();
    const both = { workflows: [...workflows, ...anIncident({ workflow: 'welcome' }).workflows], attempts: null };
    const linesOf = (change: Partial<IncidentNow>) => oneOf({ ...FULL, moreWorkflows: 0, ...change });
    expect(linesOf({ workflows, headline: null })[0]).toBe(
      '🔴 Production · SendGrid refuses every email in order-shipped',
    );
    const over = { workflows, attempts: null, worst: 'every' } as const;
    expect(linesOf({ ...over, state: { is: 'recovering', since: at(192) } }).slice(0, 2)).toEqual([
      '⚪ Production · SendGrid refused nearly every email',
      'key expired (401)',
    ]);
    expect(linesOf({ ...both, headline: null })[0]).toMatch(
      / · Email via SendGrid fails in order-shipped and welcome$/,
    );
    expect(linesOf({ ...both, headline: null, moreWorkflows: 1 })[0]).toMatch(/ · Email via SendGrid fails$/);
    expect(linesOf({ workflows, outbreak: 2 }).slice(0, 2)).toEqual([
      '🔴 Production · SendGrid refuses every email again in order-shipped',
      'key expired (401)',
    ]);
    expect(linesOf(both)[1]).toContain(' · order-shipped, 1 more workflow · #1');
  });

  test('has only what there is', () => {
    const words = oneOf({}).slice(0, 3);
    expect(words).toEqual([
      '🔴 Production · Email via SendGrid fails: API key refused (401)',
      '48 of 60 since 12:00 UTC · 47 people · order-shipped · #1',
      expect.stringMatching(/^→ /),
    ]);
    expect(buttonsOf(messageOf({}))).toEqual(['Acknowledge', 'Assign…', 'Example']);
  });

  test('links the status page where the provider is to blame', () => {
    const message = messageOf({ rows: [aRow({ cause: { text: '503 Service Unavailable', key: 'unavailable' } })] });
    expect(JSON.stringify(message.blocks)).toContain('<https://status.sendgrid.com/|Status page>');
  });

  test('goes on looking at our own account while half of the share that was many fails', () => {
    const cause = { text: '550 5.1.1 no such mailbox', key: 'mailbox' };
    const nextOf = (tried: number) => oneOf({ cause, worst: 'many', attempts: { ...total, tried } })[2];
    expect(nextOf(total.failed * 19)).toMatch(/^→ Many fail, /);
    expect(nextOf(total.failed * 21)).toMatch(/^→ Recipient: /);
  });

  test("looks at our own account first where what is a recipient's own fails for everyone", () => {
    const cause = { text: '550 5.1.1 no such mailbox', key: 'mailbox' };
    const nextOf = (tried: number) => oneOf({ cause, worst: 'some', attempts: { ...total, tried } })[2];
    expect(nextOf(total.failed * 11)).toMatch(/^→ Recipient: /);
    expect(nextOf(total.failed * 4)).toMatch(/^→ Many fail, so first check our account there\. If it is fine: /);
    expect(nextOf(total.failed)).toMatch(/^→ Fails for nearly everyone, so first check our account there: /);
  });

  test("has its workflow's share where others send through the same provider", () => {
    const workflow = { workflow: 'welcome', workflowName: null, failures: 9, critical: false };
    const lineOf = (failed: number, tried: number) =>
      oneOf({
        attempts: { ...total, failed: 9, tried: 20 },
        workflows: [{ ...workflow, attempts: { failed, tried } }],
      })[1];
    expect(lineOf(9, 9)).toContain(' · welcome 9 of 9 · #1');
    expect(lineOf(9, 20)).toContain(' · 47 people · welcome · #1');
  });

  test.each(['bounced', 'complained'] as const)(
    'has no share of what is %s, since the rest may still be',
    (verdict) => {
      const lineOf = (tried: number, attempts: { failed: number; tried: number }) =>
        oneOf({
          verdict,
          attempts: { ...total, tried },
          failures: 54,
          workflows: [{ workflow: 'order-shipped', workflowName: null, failures: 54, critical: false, attempts }],
        })[verdict === 'complained' ? 2 : 1];
      const late = { failed: total.failed, tried: total.failed };
      for (const tried of [total.failed + 9, 9 * total.failed])
        expect(lineOf(tried, late)).toBe('54 failures since 12:00 UTC · 47 people · order-shipped · #1');
    },
  );

  test('quotes the provider below its header where nothing explains the error', () => {
    expect(oneOf({ headline: null }).slice(0, 2)).toEqual([
      '🔴 Production · Email via SendGrid fails in order-shipped',
      '“The provided authorization grant is invalid (401)”',
    ]);
  });

  test('mentions whom the watch mentions, and says the same in its notification', () => {
    const message = messageOf({ rows: [aRow(FULL)], mention: { kind: 'person', id: 'U0CAT' } });
    expect(wordsOf(message)).toMatch(/^<@U0CAT>$/m);
    expect(message.text).toMatch(
      /^<@U0CAT>\n🔴 Production · SendGrid refuses every email: key expired \(401\)\n14 of 14 since/,
    );
  });

  test('begins its push notification with where, which incident and how bad it is', () => {
    const rows = [aRow(FULL)];
    const lead = (change: Partial<ContentOf<'digest'>>) =>
      pushText(aDigest(change), messageOf(change).text, { environments: [environment] }).split('\n')[0];
    expect(lead({ rows })).toBe('🔴 Production #1 · 14 of 14 failed · SendGrid refuses every email: key expired (401)');
    const long = { rows: [aRow({ ...FULL, outbreak: 2 })] };
    const push = pushText(aDigest(long), messageOf(long).text, { environments: [environment] });
    expect(push).toMatch(/^🔴 Production #1 · .* · SendGrid refuses every email again\n\*key expired \(401\)\*\n/);
    expect(lead({ rows: [...rows, aRow({ id: 2 })] })).toMatch(/^🔴 Production #1 #2 · 2 new: /);
    expect(lead({ rows, mention: { kind: 'person', id: 'U0CAT' } })).toMatch(/^🔴 Production #1 · /);
  });

  test.for<[Partial<DigestRow>, string]>([
    [{ reason: 'grown' }, 'up 10× or more'],
    [{ reason: 'again' }, 'failing again'],
    [{ reason: 'escalated' }, 'not acknowledged'],
    [{ reason: 'goes-on' }, 'ongoing since 2026-03-04 12:00 UTC'],
    [{ reason: 'missed', missed: 3 }, '3 while held back'],
    [
      { reason: 'every', broke: { actor: 'U0ANN', until: at(3_600) } },
      'every attempt fails · muted by <@U0ANN> until 13:00 UTC',
    ],
    [{ reason: 'back', missed: 3, olderTs: '1772625612.000100' }, 'Last time · 3 while held back'],
  ])('says why it is alerted again: %j', ([row, words]) => {
    expect(oneOf({ badness: 'every' }, row)[1]).toContain(` · ${words} · #1`);
  });

  test.for<[DigestRow['reason'], Partial<IncidentNow>]>([
    ['every', { badness: 'some' }],
    ['escalated', { acknowledged: ann }],
    ['again', { outbreak: 2 }],
    ['critical', { critical: false }],
    ['grown', { state: { is: 'recovering', since: at(192) } }],
  ])('says no longer why it was alerted where that is over, or in its title: %s', ([reason, change]) => {
    expect(oneOf(change, { reason })[1]).toMatch(/ 47 people · order-shipped · #1$/);
  });

  test('of what is stuck says so, until its steps end', () => {
    const stuck = { verdict: 'stuck', headline: null, attempts: null } as const;
    expect(oneOf(stuck)[0]).toBe('🟡 Production · Email via SendGrid is stuck in order-shipped');
    expect(oneOf(stuck)[2]).toBe('48 stuck since 12:00 UTC · 47 people · #1');
  });
});

describe('A relapse', () => {
  test('is a new alert that links the older one', () => {
    const message = messageOf({ rows: [aRow({ outbreak: 2 }, { reason: 'back', olderTs: '1772625612.000100' })] });
    expect(wordsOf(message)).toContain('Email via SendGrid fails again: ');
    expect(JSON.stringify(message.blocks)).toContain(
      ' · <https://slack.com/archives/C0ONCALL/p1772625612000100|Last time> · #1',
    );
  });

  test('says when it failed before, which the older alert no longer does, whatever it is told for', () => {
    const relapsed = { outbreak: 2, earlier: [{ from: at(-3_600), to: at(-3_300) }] };
    expect(oneOf(relapsed, { reason: 'back', olderTs: '1772625612.000100' })[1]).toContain(
      ' · Last time 11:00 UTC–11:05 UTC · #1',
    );
    expect(oneOf(relapsed, { reason: 'grown' })[1]).toContain(' · last time 11:00 UTC–11:05 UTC · up 10× or more · #1');
    const yesterday = { outbreak: 2, earlier: [{ from: at(-86_400), to: at(-86_100) }] };
    expect(oneOf(yesterday)[1]).toContain(' · last time 2026-03-03 12:00 UTC–12:05 UTC · #1');
    expect(oneOf({ ...relapsed, state: { is: 'resolved', at: at(900), actor: null } })[1]).not.toContain('last time');
  });

  test('is counted from the second on, as long as it fails and in what became of it', () => {
    const often = { outbreak: 4, failures: 25, failuresInAll: 100 };
    expect(oneOf(often)[0]).toContain('Email via SendGrid fails again (relapse 3)');
    const over = { ...often, state: { is: 'resolved', at: at(2_400), actor: null } } as const;
    expect(oneOf(over)[2]).toBe(
      '✅ resolved at 12:40 UTC · failed 12:00 UTC–12:03 UTC, after 3 relapses · 100 failures in all',
    );
    expect(oneOf({ ...over, failuresInAll: null })[2]).toMatch(/, after 3 relapses$/);
  });

  test('says who had acknowledged it before', () => {
    expect(oneOf({ outbreak: 2, formerly: ann })).toContain('👀 before the relapse: <@U0ANN>');
  });

  test('has one total, with the failures before it', () => {
    const lately = { attempts: { ...total, failed: 2, tried: 2 }, failures: 8, failuresInAll: 20 };
    expect(oneOf({ outbreak: 2, ...lately, failures: 2 })[1]).toContain('2 of 2 since 12:00 UTC · 20 in all · ');
    // One is found later, which failed before.
    const later = { ...lately, failures: 3 };
    expect(oneOf(later)[1]).toContain('2 of 2 in the last 3 min · 3 since 12:00 UTC · 20 in all · ');
    const minute = { ...lately, attempts: { ...lately.attempts, since: at(132) }, failuresInAll: 8 };
    expect(oneOf(minute)[1]).toContain('2 of 2 in the last minute · 8 since 12:00 UTC · ');
  });

  test('leaves of the older row that it continues below, without actions or what changes', () => {
    const older = (change: Partial<IncidentNow>, ...others: DigestRow[]) =>
      messageOf({ rows: [aRow({ outbreak: 2, ...change }, { isContinued: true }), ...others] });
    const message = older({});
    expect(wordsOf(message)).toMatch(/^🔁 .*\n#1 · continued below$/);
    expect(buttonsOf(message)).toEqual([]);
    const other = aRow({ id: 2 }, { isContinued: true });
    const resolved = { is: 'resolved', at: at(900), actor: null } as const;
    for (const later of [{ attempts: total }, { outbreak: 3 }, { failures: 99, acknowledged: ann, state: resolved }]) {
      expect(older(later)).toEqual(message);
      expect(older(later, other)).toEqual(older({}, other));
    }
  });
});

test('What is over says when it was resolved and by whom, without what to do about it', () => {
  const lines = oneOf({ ...FULL, state: { is: 'resolved', at: at(2_400), actor: 'U0ANN' } });
  expect(lines.slice(0, 5)).toEqual([
    '✅ Production · Email via SendGrid failed: key expired (401)',
    '14 failures since 12:00 UTC · 48 people · critical: payment-failed, 5 more workflows · #1',
    '⚙️ SendGrid integration (email): deactivated 12 s before · 🚀 Deploy: checkout 2.3 12 s before · 🏷️ all of them tag acme (26% of traffic)',
    '✅ resolved by <@U0ANN> at 12:40 UTC · failed 12:00 UTC–12:03 UTC',
    '📝 “new key not in vault yet” <@U0ANN>',
  ]);
  const brief = oneOf({ lastAt: at(30), state: { is: 'recovering', since: at(30) }, wentThrough: 14 });
  expect(brief[2]).toBe('⚪ recovering: no new ones since 12:00 UTC · 14 went through since');
  const unproven = oneOf({ state: { is: 'resolved', at: at(2_400), actor: null, ending: 'unconfirmed' } });
  expect([unproven[0]?.slice(0, 1), unproven[2]]).toEqual([
    '⚪',
    '⚪ over at 12:40 UTC, though nothing shows that it works again · failed 12:00 UTC–12:03 UTC',
  ]);
  const bounced = oneOf({ verdict: 'bounced', lastAt: at(30), state: { is: 'recovering', since: at(30) } });
  expect(bounced[2]).toBe('⚪ recovering: no new ones since 12:00 UTC · over after 10 min without one');
  const fine = oneOf({ failures: 0, state: { is: 'recovering', since: at(30) } });
  expect(fine[2]).toBe('⚪ recovering: all of it went through after all, or counts under another cause');
  const retried = oneOf({ failures: 0, state: { is: 'resolved', at: at(2_400), actor: null } });
  expect(retried[2]).toBe('✅ resolved at 12:40 UTC · all of it went through after all, or counts under another cause');
});

describe('An alert with several incidents', () => {
  const bounced = { verdict: 'bounced', provider: 'ses', cause: { text: 'mailbox gone', key: 'k' } } as const;
  const rows = [aRow(FULL), aRow({ id: 2, headline: null, ...bounced })];

  test('has the first in its header, a short row and the next step of each, and names of those without a row', () => {
    const staging = aRow({ id: 4, environment: 'staging', provider: 'ses' }, { isContinued: true });
    const lines = linesOf({ rows, counted: [aRow({ id: 3 }), staging] });
    expect(lines[0]).toBe('🔴 Production · 4 new: SendGrid refuses every email · +3');
    expect(lines).toContain('🔴 SendGrid refuses every email: key expired (401) · 14 of 14 · 48 people · #1');
    expect(lines).toContain('🟠 Email via SES bounces “mailbox gone” · 48 failures · 47 people · #2');
    expect(lines).toContain("→ Our credentials: Check or replace the integration's credentials, then send again.");
    expect(lines.join()).not.toContain('⚙️');
    expect(lines.slice(-2)).toEqual([
      '… and 2 more incidents: Email via SendGrid fails #3 · staging Email via SES #4',
      'Show all',
    ]);
    expect(linesOf({ rows: [...rows, aRow({ id: 3 }, { reason: 'grown' })] })[0]).toContain(' · 3 incidents: ');
  });

  test('is green once all are resolved, and gray while one may not be', () => {
    const resolved = aRow({ state: { is: 'resolved', at: at(900), actor: null } });
    const calm = aRow({ id: 2, state: { is: 'recovering', since: at(900) } });
    expect(linesOf({ rows: [resolved, { ...calm, incident: { ...resolved.incident, id: 2 } }] })[0]).toMatch(/^✅/);
    expect(linesOf({ rows: [resolved, calm] })[0]).toMatch(/^⚪/);
    expect(linesOf({ rows: [calm, aRow()] })[0]).toMatch(/^🔴/);
  });

  test.each([0, 30])(
    'fits with ten of them, whatever their names, and counts all others once, also %i more',
    (more) => {
      const cause = { text: HOSTILE.repeat(20), key: 'k' };
      const hostile = { provider: HOSTILE, cause };
      const note = { ...ann, text: '&'.repeat(200) };
      const many = Array.from({ length: 10 + more }, (_, index) => aRow({ ...FULL, id: index, ...hostile, note }));
      const words = linesOf({
        rows: many.slice(0, 10),
        singles: [anIncident({ workflow: HOSTILE.repeat(9), ...hostile })],
        counted: many.slice(10),
      }).join('\n');
      const shown = words.match(/^🔴 .* · #\d$/gm)?.length ?? 0;
      expect(shown).toBeGreaterThan(2);
      expect(words.match(/… and .*\n.*/g)).toEqual([
        expect.stringMatching(new RegExp(`^… and ${many.length - shown} more incidents: .*\nShow all$`)),
      ]);
    },
  );
});

test('an alert leads to all its incidents, even to one that is older than what is kept', () => {
  const old = { beganAt: at((-40 * DAY_MS) / 1_000) };
  const run = parseRun(buttonValue(messageOf({ rows: [aRow(old)], counted: [aRow({ id: 2 })] }), RUN) ?? '');
  if (run === null) throw new Error('the button runs nothing');
  const line = { ...aLine(), ...parseCommandText(run.text), page: run.page };
  const kept = { usualMs: 30 * DAY_MS, isToNow: true };
  const { from, page } = parseFailureRequest(line, kept, CTX);
  expect([from, cursorNumber(page)]).toEqual([old.beganAt, null]);
  expect(() => parseFailureRequest({ ...line, page: undefined }, kept, CTX)).toThrow('at most 30 d');
});

describe('Single failures', () => {
  const single = (text: string, subscribers = 1) =>
    anIncident({ headline: null, failures: 1, subscribers, cause: { text, key: text } });
  const singles = [{ ...single('mailbox gone', 2), failures: 2 }, single('phone off'), single('mailbox gone')];

  test('are a line below the rows, counted by cause', () => {
    expect(linesOf({ singles }).slice(-2)).toEqual([
      '⚪ Single failures, no pattern: 3× “mailbox gone” · 1× “phone off”',
      'View',
    ]);
  });

  test('alone are that line', () => {
    const message = messageOf({ rows: [], singles });
    expect(wordsOf(message).split('\n')).toEqual([
      '⚪ Production · Single failures, no pattern: 3× “mailbox gone” · 1× “phone off”',
      'View',
    ]);
  });
});
