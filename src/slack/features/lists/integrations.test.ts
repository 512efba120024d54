import { describe, expect, test } from 'vitest';
import { FreeText } from '../../../lib/text/scrub.ts';
import type { IntegrationsFound } from '../../../lookups/lists.ts';
import { anIntegration } from '../../../service/lists.testing.ts';
import type { Integration } from '../../../service/lists.ts';
import type { CommandLine } from '../../router/command.ts';
import { aLine, buttonsOf, wordsOf } from '../../slack.testing.ts';
import { integrationsMessage } from './integrations.ts';

const shown = (given: IntegrationsFound, filters: CommandLine['filters'] = {}) =>
  integrationsMessage(aLine({ filters }), given);

function found(items: readonly Integration[], change: Partial<IntegrationsFound> = {}): IntegrationsFound {
  return { items: [...items], isEnvironmentKnown: true, inactiveChannels: [], unreadable: 0, ...change };
}

const SPARE = anIntegration({
  name: 'Spare',
  provider: 'ses',
  identifier: 'ses-1',
  primary: false,
  inboundWebhook: null,
});

describe('integrations', () => {
  test.each([
    [[], 'only under conditions'],
    [['subscriber.plan'], 'only under conditions on subscriber.plan'],
    [['a.1', 'a.2', 'a.3', 'a.4', 'a.5', 'a.6', 'a.7'], 'only under conditions on a.1, a.2, a.3, a.4, a.5, 2 more'],
  ])('show the conditions under which they are used: %j', (fields, words) => {
    const conditionFields = fields.map((field) => new FreeText(field));
    const message = shown(found([anIntegration({ hasConditions: true, conditionFields })]));
    expect(wordsOf(message)).toContain(words);
  });

  test("say when it isn't known whose they are", () => {
    const words = wordsOf(shown(found([SPARE], { isEnvironmentKnown: false })));
    expect(words).toContain('production · 1 integration');
    expect(words).toContain('⚠️ Which of them belong to production is unknown: it has no events');
    expect(wordsOf(shown(found([], { isEnvironmentKnown: false })))).not.toContain('unknown');
  });

  test('may be none', () => {
    const message = shown(found([]), { channel: ['push'] });
    expect(wordsOf(message)).toBe('production · no integrations\nChannel push');
    expect(buttonsOf(message)).toEqual([]);
  });

  test('say their filter, how many there are beyond those shown, and how many are unreadable', () => {
    const many = Array.from({ length: 140 }, (_, n) => anIntegration({ name: `Mail ${n}` }));
    const filters = { channel: ['email'], provider: ['sendgrid'] };
    const words = wordsOf(shown(found(many, { unreadable: 2 }), filters));
    expect(words).toContain('production · 100 of 140 integrations');
    expect(words).toContain('Channel email\nProvider sendgrid\n2 unreadable');
  });
});
