import { describe, expect, test } from 'vitest';
import type { DigestRow } from '../../../alerts/content.ts';
import type { IncidentNow } from '../../../incidents/incident.ts';
import { parseCommandText } from '../../../lib/input/filters.ts';
import { DAY_MS } from '../../../lib/time/durations.ts';
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
  HOSTILE,
  wordsOf,
} from '../../slack.testing.ts';
import type { ContentOf } from './content.ts';
import { ann, environment, FULL, linesOf, messageOf, rowLines, total } from './digest-message.testing.ts';
import { pushText } from './push-text.ts';

describe('An alert with one incident', () => {
  test('says in its header where, who refuses what and why, then how bad it is, what may explain it, what to do and who has it', () => {
    expect(rowLines(FULL).slice(0, 5)).toEqual([
      '🔴 Production · SendGrid refuses every email: key expired (401)',
      '14 of 14 since 12:00 UTC · 48 people · critical: payment-failed 4 of 5, 5 more workflows · #1',
      '⚙️ SendGrid integration (email): deactivated 12 s before · 🚀 Deploy: checkout 2.3 12 s before · 🏷️ all of them tag acme (26% of traffic)',
      "→ Our credentials: Check or replace the integration's credentials, then send again.",
      '👀 <@U0ANN> 12:03 UTC · 🙋 <@U0BEN> · 📝 “new key not in vault yet” <@U0ANN>',
    ]);
  });

  test('names why and the workflows that it hits in its header if two lines of a phone have room, else below', () => {
    const { workflows } = anIncident();
    const both = { workflows: [...workflows, ...anIncident({ workflow: 'welcome' }).workflows], attempts: null };
    const linesWith = (change: Partial<IncidentNow>) => rowLines({ ...FULL, moreWorkflows: 0, ...change });
    expect(linesWith({ workflows, headline: null })[0]).toBe(
      '🔴 Production · SendGrid refuses every email in order-shipped',
    );
    const over = { workflows, attempts: null, worst: 'every' } as const;
    expect(linesWith({ ...over, state: { is: 'recovering', since: at(192) } }).slice(0, 2)).toEqual([
      '⚪ Production · SendGrid refused nearly every email',
      'key expired (401)',
    ]);
    expect(linesWith({ ...both, headline: null })[0]).toMatch(
      / · Email via SendGrid fails in order-shipped and welcome$/,
    );
    expect(linesWith({ ...both, headline: null, moreWorkflows: 1 })[0]).toMatch(/ · Email via SendGrid fails$/);
    expect(linesWith({ workflows, outbreak: 2 }).slice(0, 2)).toEqual([
      '🔴 Production · SendGrid refuses every email again in order-shipped',
      'key expired (401)',
    ]);
    expect(linesWith(both)[1]).toContain(' · order-shipped, 1 more workflow · #1');
  });

  test('has only what there is', () => {
    const words = rowLines({}).slice(0, 3);
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
    const nextOf = (tried: number) => rowLines({ cause, worst: 'many', attempts: { ...total, tried } })[2];
    expect(nextOf(total.failed * 19)).toMatch(/^→ Many fail, /);
    expect(nextOf(total.failed * 21)).toMatch(/^→ Recipient: /);
  });

  test("looks at our own account first where what is a recipient's own fails for everyone", () => {
    const cause = { text: '550 5.1.1 no such mailbox', key: 'mailbox' };
    const nextOf = (tried: number) => rowLines({ cause, worst: 'some', attempts: { ...total, tried } })[2];
    expect(nextOf(total.failed * 11)).toMatch(/^→ Recipient: /);
    expect(nextOf(total.failed * 4)).toMatch(/^→ Many fail, so first check our account there\. If it is fine: /);
    expect(nextOf(total.failed)).toMatch(/^→ Fails for nearly everyone, so first check our account there: /);
  });

  test("has its workflow's share where others send through the same provider", () => {
    const workflow = { workflow: 'welcome', workflowName: null, failures: 9, critical: false };
    const lineOf = (failed: number, tried: number) =>
      rowLines({
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
        rowLines({
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
    expect(rowLines({ headline: null }).slice(0, 2)).toEqual([
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
    expect(rowLines({ badness: 'every' }, row)[1]).toContain(` · ${words} · #1`);
  });

  test.for<[DigestRow['reason'], Partial<IncidentNow>]>([
    ['every', { badness: 'some' }],
    ['escalated', { acknowledged: ann }],
    ['again', { outbreak: 2 }],
    ['critical', { critical: false }],
    ['grown', { state: { is: 'recovering', since: at(192) } }],
  ])('says no longer why it was alerted where that is over, or in its title: %s', ([reason, change]) => {
    expect(rowLines(change, { reason })[1]).toMatch(/ 47 people · order-shipped · #1$/);
  });

  test('of what is stuck says so, until its steps end', () => {
    const stuck = { verdict: 'stuck', headline: null, attempts: null } as const;
    expect(rowLines(stuck)[0]).toBe('🟡 Production · Email via SendGrid is stuck in order-shipped');
    expect(rowLines(stuck)[2]).toBe('48 stuck since 12:00 UTC · 47 people · #1');
  });
});

test('What is over says when it was resolved and by whom, without what to do about it', () => {
  const lines = rowLines({ ...FULL, state: { is: 'resolved', at: at(2_400), actor: 'U0ANN' } });
  expect(lines.slice(0, 5)).toEqual([
    '✅ Production · Email via SendGrid failed: key expired (401)',
    '14 failures since 12:00 UTC · 48 people · critical: payment-failed, 5 more workflows · #1',
    '⚙️ SendGrid integration (email): deactivated 12 s before · 🚀 Deploy: checkout 2.3 12 s before · 🏷️ all of them tag acme (26% of traffic)',
    '✅ resolved by <@U0ANN> at 12:40 UTC · failed 12:00 UTC–12:03 UTC',
    '📝 “new key not in vault yet” <@U0ANN>',
  ]);
  const brief = rowLines({ lastAt: at(30), state: { is: 'recovering', since: at(30) }, wentThrough: 14 });
  expect(brief[2]).toBe('⚪ recovering: no new ones since 12:00 UTC · 14 went through since');
  const unproven = rowLines({ state: { is: 'resolved', at: at(2_400), actor: null, ending: 'unconfirmed' } });
  expect([unproven[0]?.slice(0, 1), unproven[2]]).toEqual([
    '⚪',
    '⚪ over at 12:40 UTC, though nothing shows that it works again · failed 12:00 UTC–12:03 UTC',
  ]);
  const bounced = rowLines({ verdict: 'bounced', lastAt: at(30), state: { is: 'recovering', since: at(30) } });
  expect(bounced[2]).toBe('⚪ recovering: no new ones since 12:00 UTC · over after 10 min without one');
  const fine = rowLines({ failures: 0, state: { is: 'recovering', since: at(30) } });
  expect(fine[2]).toBe('⚪ recovering: all of it went through after all, or counts under another cause');
  const retried = rowLines({ failures: 0, state: { is: 'resolved', at: at(2_400), actor: null } });
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
