import { describe, expect, test } from 'vitest';
import type { EntryPage } from '../../../audit/audit.ts';
import type { ChangeOutcome } from '../../../audit/tables.ts';
import { aChange, aDeploy } from '../../../changes/changes.testing.ts';
import type { ChangesPage } from '../../../changes/changes.ts';
import type { Stored } from '../../../lib/text/shown-id.ts';
import type { AuditedChange } from '../../../lookups/audited.ts';
import { parseRun, RUN } from '../../kit/buttons.ts';
import type { SinceRequest } from '../../router/since-command.ts';
import { at, buttonsOf, buttonValue, CTX, expectFit, HOSTILE, NOON, wordsOf } from '../../slack.testing.ts';
import { auditMessage } from './audit.ts';
import { changesMessage } from './changes.ts';

const shown = (found: ChangesPage, request = REQUEST, now = at(360)) =>
  changesMessage({ ...CTX, now: () => now }, request, found);
const REQUEST: SinceRequest = { since: NOON, environments: ['production'], olderThan: null };
const READ = { serviceEnvironmentId: 'own', integrations: [], since: at(-86_400), readAt: at(300) };
const CHANGE = aChange({ at: at(120), notBefore: at(0) });
const DEPLOY = aChange({ id: 2, at: at(240), notBefore: null, what: aDeploy() });

const page = (change: Partial<ChangesPage> = {}): ChangesPage => ({
  items: [DEPLOY, CHANGE],
  hasOlder: false,
  snapshots: new Map([['production', READ]]),
  ...change,
});

describe('the changes around an environment', () => {
  test('are listed with what, when and by whom', () => {
    const words = wordsOf(shown(page()));
    expect(words).toMatch(/^production · 2 changes$[\s\S]*^Since 2026-03-04 12:00 UTC$/m);
    expect(words).toContain('🚀 Deploy: checkout 2.3 | 2026-03-04 12:04 UTC | <@U0ANN> | production');
    expect(words).toContain(
      '⚙️ SendGrid integration (email): deactivated | 2026-03-04 12:00 UTC – 12:02 UTC | – | production',
    );
    expect(words).toContain('production: integrations compared since 2026-03-03 12:00 UTC, last at 12:05 UTC');
    expect(words).toContain('Integrations with their credentials, workflows and reported deploys.');
  });

  test('say with its date when integrations were last compared, if that was long ago', () => {
    const words = wordsOf(shown(page(), REQUEST, at(86_400)));
    expect(words).toContain('last 2026-03-04 12:05 UTC');
  });

  test('may be empty: the answer then says which changes Notif can detect, and where it compares none yet', () => {
    const request = { ...REQUEST, environments: ['production', 'staging'] };
    const words = wordsOf(shown(page({ items: [] }), request));
    expect(words).toContain('production, staging · no changes');
    expect(words).toContain('⚠️ staging: integrations not compared yet');
  });

  test('have a button for older ones', () => {
    expect(buttonsOf(shown(page()))).toEqual([]);
    const older = shown(page({ hasOlder: true }));
    expect(parseRun(buttonValue(older, RUN) ?? '')?.page).toEqual({ offset: 2, cursor: `${CHANGE.id}` });
  });
});

const auditShown = (found: EntryPage, request = AUDIT_REQUEST) => auditMessage(CTX, request, found);
const AUDIT_REQUEST: SinceRequest = { since: NOON, environments: [], olderThan: null };

type Entry = Omit<EntryPage['items'][number], 'id' | 'change'> & { change: AuditedChange };

const ENTRY: Entry = {
  at: at(60),
  actor: 'U0ANN',
  channel: 'C0GENERAL',
  environment: 'production',
  change: { action: 'trigger', workflow: 'order-shipped', recipients: 3 },
  outcome: { is: 'sent', accepted: 3, refused: 0 },
  incidentId: null,
  outbreak: null,
  intentId: 'intent-1',
};

const auditPage = (...entries: Partial<Entry>[]): EntryPage => ({
  items: entries.map((entry, index) => {
    const { change, ...others } = { ...ENTRY, ...entry };
    return { ...others, id: 100 - index, change: asStored(change) };
  }),
  hasOlder: false,
});
/** As the database has it: a time is a text. */
const asStored = (change: AuditedChange): Stored => JSON.parse(JSON.stringify(change));
const wordsFor = (entry: Partial<Entry>) => wordsOf(auditShown(auditPage(entry)));

describe('an audit entry', () => {
  test('shows who, what, where, the outcome, when and from which channel', () => {
    expect(wordsFor({})).toContain(
      'test: 3 events of order-shipped | <@U0ANN> | 2026-03-04 12:01 UTC | ✅ 3 accepted | production · <#C0GENERAL>',
    );
    const aside = wordsFor({
      channel: 'D0ANN',
      environment: null,
      change: { action: 'watch-made', watch: 'tz:UTC' },
      outcome: { is: 'done' },
    });
    expect(aside).toContain('created a watch /notif watch tz:UTC | <@U0ANN> |');
    expect(aside).toContain('| ✅ done | direct message');
  });

  test.each<[ChangeOutcome, string, string]>([
    [{ is: 'begun' }, '⏳', 'outcome not known yet'],
    [{ is: 'done' }, '✅', 'done'],
    [{ is: 'sent', accepted: 2, refused: 1 }, '🟡', '2 accepted, 1 refused'],
    [{ is: 'sent', accepted: 0, refused: 3 }, '🔴', '0 accepted, 3 refused'],
    [{ is: 'sent', accepted: 0, refused: 0 }, '🛑', 'nothing was sent'],
    [{ is: 'refused', why: 'key-refused' }, '🔴', 'nothing was changed (key refused)'],
    [{ is: 'unknown' }, '🟡', 'outcome unknown: it may have gone through'],
  ])('shows %j', (outcome, emoji, words) => {
    const said = wordsFor({ outcome });
    expect(said).toContain(`${emoji} ${words}`);
  });

  const incident = { number: 20, channel: 'email', provider: 'sendgrid' };
  test.each<[AuditedChange, string]>([
    [{ action: 'credentials', subscriberId: 'anna', provider: 'fcm' }, 'new credentials of anna for fcm'],
    [
      { action: 'watch-muted', watch: 'tz:UTC', part: null, until: at(3_600) },
      'muted a watch /notif watch tz:UTC until 2026-03-04 13:00 UTC',
    ],
    [
      { action: 'watch-made', watch: 'mention:<!subteam^S0ONCALL> tz:UTC' },
      'created a watch /notif watch mention: <!subteam^S0ONCALL> tz:UTC |',
    ],
    [{ action: 'incident-unmuted', incident: { ...incident, provider: null } }, 'unmuted #20 Email |'],
    [{ action: 'assigned', incident, to: 'U0BEN' }, 'assigned #20 Email · SendGrid to <@U0BEN> |'],
    [
      { action: 'noted', incident, text: 'key rotated in vault' },
      'added a note to #20 Email · SendGrid “key rotated in vault” |',
    ],
    [{ action: 'deployed', name: 'ghcr.io/acme/api:2.3' }, 'recorded a deploy ghcr.io/acme/api:2.3 |'],
    [{ action: 'channel-environment', to: 'staging' }, "set the channel's environment to staging"],
    [{ action: 'channel-environment', to: null }, "set the channel's environment to the first one"],
  ])('shows %j', (change, words) => {
    const shown = auditShown(auditPage({ change, outcome: { is: 'done' } }));
    expectFit(shown);
    expect(wordsOf(shown)).toContain(words);
  });
});

describe('a page of the audit trail', () => {
  test('says how many, since when and where, and when there are none', () => {
    const request = { ...REQUEST, environments: ['staging'] };
    expect(wordsOf(auditShown(auditPage(), request))).toContain('staging · no changes');
    expect(wordsOf(auditShown(auditPage({})))).toMatch(
      /^All environments · 1 change$[\s\S]*^Since 2026-03-04 12:00 UTC$/m,
    );
  });

  test('loads more after the last entry that fit', () => {
    expect(buttonsOf(auditShown(auditPage({})))).toEqual([]);
    const change: AuditedChange = { action: 'credentials', subscriberId: 'a'.repeat(255), provider: HOSTILE };
    const message = auditShown(auditPage(...Array.from({ length: 100 }, () => ({ change }))));
    expectFit(message);
    const count = wordsOf(message).match(/credentials of/g)?.length ?? 0;
    expect(count).toBeLessThan(100);
    expect(parseRun(buttonValue(message, RUN) ?? '')).toEqual({
      text: 'audit since:"2026-03-04T12:00:00.000Z"',
      page: { offset: count, cursor: `${101 - count}` },
    });
  });
});
