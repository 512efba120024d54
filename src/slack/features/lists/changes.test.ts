import { describe, expect, test } from 'vitest';
import { aChange, aDeploy, anIntegrationChange } from '../../../changes/changes.testing.ts';
import type { ChangesPage } from '../../../changes/changes.ts';
import { parseRun, RUN } from '../../kit/buttons.ts';
import type { SinceRequest } from '../../router/command.ts';
import { at, buttonsOf, buttonValue, CTX, expectFit, HOSTILE, NOON, PRODUCTION, wordsOf } from '../../slack.testing.ts';
import { changesMessage, deployNoted } from './changes.ts';

const shown = (found: ChangesPage, request = REQUEST, now = at(360)) =>
  changesMessage({ ...CTX, now: () => now }, request, found);
const REQUEST: SinceRequest = { since: NOON, environments: ['production'], olderThan: null };
const COMPARED = [{ environment: 'production', since: at(-86_400), lastAt: at(300) }];
const CHANGE = aChange({ at: at(120), after: at(0) });
const DEPLOY = aChange({ id: 2, at: at(240), after: null, what: aDeploy() });

const page = (change: Partial<ChangesPage> = {}): ChangesPage => ({
  changes: [DEPLOY, CHANGE],
  hasOlder: false,
  compared: COMPARED,
  ...change,
});

describe('the changes around an environment', () => {
  test('are listed with what, when and by whom', () => {
    const words = wordsOf(shown(page()));
    expect(words).toContain('production · since 2026-03-04 12:00 UTC · 2 changes');
    expect(words).toContain('🚀 Deploy: checkout 2.3 | 2026-03-04 12:04 UTC | <@U0ANN> | production');
    expect(words).toContain(
      '⚙️ SendGrid integration (email): deactivated | between 2026-03-04 12:00 UTC and 12:02:00 UTC | – | production',
    );
    expect(words).toContain('production: integrations compared since 2026-03-03 12:00 UTC, last at 12:05 UTC');
    expect(words).toContain("a rotated key isn't listed. Kept for 30 days.");
  });

  test('say with its date when integrations were last compared, if that was long ago', () => {
    const words = wordsOf(shown(page(), REQUEST, at(86_400)));
    expect(words).toContain('last 2026-03-04 12:05 UTC');
  });

  test('may be empty: the answer then says which changes Notif can detect, and where it compares none yet', () => {
    const request = { ...REQUEST, environments: ['production', 'staging'] };
    const words = wordsOf(shown(page({ changes: [] }), request));
    expect(words).toContain('production, staging · since 2026-03-04 12:00 UTC · no changes');
    expect(words).toContain('⚠️ staging: integrations not compared yet');
  });

  test('have a button for older ones', () => {
    expect(buttonsOf(shown(page()))).toEqual([]);
    const older = shown(page({ hasOlder: true }));
    expect(parseRun(buttonValue(older, RUN) ?? '')?.page).toEqual({ before: 2, cursor: `${CHANGE.id}` });
  });

  test('fit into a message, with hostile names escaped', () => {
    const what = anIntegrationChange({ name: HOSTILE.repeat(5), provider: HOSTILE, channel: HOSTILE });
    const changes = Array.from({ length: 100 }, (_, id) => aChange({ id, what }));
    expectFit(shown(page({ changes })));
    expectFit(shown(page({ changes: [aChange({ what: aDeploy({ name: HOSTILE }) })] })));
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
