import { describe, expect, test } from 'vitest';
import { aChange, aDeploy, anIntegrationChange } from '../../domain/changes/changes.testing.ts';
import type { SinceRequest } from '../blocks/buttons/since-request.ts';
import { at, buttonsOf, expectFit, HOSTILE, NOON, PRODUCTION, STAGING, wordsOf } from '../slack.testing.ts';
import { changesPageMessage, deployNoted } from './message.ts';

const OPTIONS = { environments: [PRODUCTION, STAGING], retentionDays: 30, now: at(360) };
const REQUEST: SinceRequest = { since: NOON, environments: ['production'], olderThan: null };
const COMPARED = [{ environment: 'production', since: at(-86_400), lastAt: at(300) }];
const CHANGE = aChange({ at: at(120), after: at(0) });
const DEPLOY = aChange({ id: 2, at: at(240), after: null, what: aDeploy() });

const page = (change: Partial<Parameters<typeof changesPageMessage>[0]> = {}) => ({
  changes: [DEPLOY, CHANGE],
  hasOlder: false,
  compared: COMPARED,
  ...change,
});

describe('the changes around an environment', () => {
  test('are listed with what, when and by whom', () => {
    const words = wordsOf(changesPageMessage(page(), REQUEST, OPTIONS));
    expect(words).toContain('Changes around production since 2026-03-04 12:00 UTC, the newest first');
    expect(words).toContain('🚀 Deploy: checkout 2.3\n2026-03-04 12:04 UTC · reported by <@U0ANN>');
    expect(words).toContain(
      '⚙️ SendGrid integration (email): made inactive\nbetween 2026-03-04 12:00 UTC and 12:02:00 UTC',
    );
    expect(words).toContain('production: integrations compared since 2026-03-03 12:00 UTC, last at 12:05 UTC');
    expect(words).toContain("a rotated key isn't listed. Kept for 30 days.");
  });

  test('say with its date when integrations were last compared, if that was long ago', () => {
    const words = wordsOf(changesPageMessage(page(), REQUEST, { ...OPTIONS, now: at(86_400) }));
    expect(words).toContain('last 2026-03-04 12:05 UTC');
  });

  test('name their environment if several are requested', () => {
    const request = { ...REQUEST, environments: ['production', 'staging'] };
    const words = wordsOf(changesPageMessage(page(), request, OPTIONS));
    expect(words).toContain('made inactive\nproduction · between');
    expect(words).toContain('⚠️ staging: integrations not read yet, so no change of them is known');
  });

  test('may be empty: the answer then says which changes Notif can detect', () => {
    expect(wordsOf(changesPageMessage(page({ changes: [] }), REQUEST, OPTIONS))).toContain(
      'No changes around production since 2026-03-04 12:00 UTC: none of an integration or workflow was noticed, and no deploy reported.',
    );
  });

  test('have buttons for older ones and back', () => {
    expect(buttonsOf(changesPageMessage(page(), REQUEST, OPTIONS))).toEqual([]);
    expect(buttonsOf(changesPageMessage(page({ hasOlder: true }), { ...REQUEST, olderThan: 9 }, OPTIONS))).toEqual([
      'Older',
      'Newest',
    ]);
  });

  test('fit into a message, with hostile names escaped', () => {
    const what = anIntegrationChange({ name: HOSTILE.repeat(5), provider: HOSTILE, channel: HOSTILE });
    const changes = Array.from({ length: 15 }, (_, id) => aChange({ id, what }));
    expectFit(changesPageMessage(page({ changes }), REQUEST, OPTIONS));
    expectFit(changesPageMessage(page({ changes: [aChange({ what: aDeploy({ name: HOSTILE }) })] }), REQUEST, OPTIONS));
    expectFit(deployNoted(HOSTILE, PRODUCTION, true));
  });
});

describe('a reported deploy', () => {
  test('is confirmed once, with its environment and purpose', () => {
    expect(wordsOf(deployNoted('checkout 2.3', PRODUCTION, true))).toContain(
      '🚀 Deploy noted in production: checkout 2.3. An incident that begins within 30 min names it.',
    );
    expect(wordsOf(deployNoted('checkout 2.3', PRODUCTION, false))).toContain('was noted in production a moment ago');
  });
});
