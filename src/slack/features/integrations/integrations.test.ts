import { describe, expect, test } from 'vitest';
import type { IntegrationsFound } from '../../../lookups/integrations.ts';
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
