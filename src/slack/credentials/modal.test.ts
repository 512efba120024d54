import { describe, expect, test } from 'vitest';
import { CREDENTIAL_PROVIDERS, credentialProvider } from '../../domain/credentials/credential-providers.ts';
import { type ChannelSettings, CREDENTIAL_FIELDS } from '../../domain/credentials/credentials.ts';
import { anIntegration } from '../../domain/service/integration.testing.ts';
import { buttonsOf, expectFit, expectView, fieldsIn, HOSTILE, PRODUCTION, wordsOf } from '../slack.testing.ts';
import { confirmView, linesToConfirm } from './confirm-modal.ts';
import type { ChosenForm, KeptForm } from './kept-modal.ts';
import { parseChosen, parseKept } from './kept-modal.ts';
import { credentialLines, unknownSubscriberMessage, updatedMessage } from './message.ts';
import { credentialsView, integrationOptions, integrationsWanted } from './modal.ts';

const KEPT: KeptForm = {
  intent: 'intent-1',
  answerUrl: 'https://hooks.slack.example/commands/1',
  channel: 'C0GENERAL',
  environment: 'production',
  subscriberId: 'user-1',
};
const WORST: KeptForm = {
  ...KEPT,
  subscriberId: HOSTILE.repeat(9).slice(0, 255),
  answerUrl: `https://${'a'.repeat(250)}`,
};
const PROTECTED = { ...PRODUCTION, isProtected: true };

function chosen(provider: string, kept = KEPT): ChosenForm {
  return { ...kept, provider, integration: null, shown: 'Webhook URL: •••9f3c' };
}

function viewFor(id: string, kept = KEPT) {
  const provider = credentialProvider(id);
  if (provider === null) throw new Error(`there is no provider ${id}`);
  return {
    first: credentialsView(kept, PRODUCTION, provider),
    second: confirmView({ form: chosen(id, kept), environment: PROTECTED, provider }, { news: null }),
  };
}

describe('the form for credentials', () => {
  test.each(CREDENTIAL_PROVIDERS.map(({ id }) => id))(
    'has the same fields for %s in both steps, so that Slack keeps what was typed',
    (id) => {
      const { first, second } = viewFor(id);
      const own = Object.entries(fieldsIn(first)).filter(([, block]) => block.startsWith('credentials.field.'));
      expect(Object.entries(fieldsIn(second)).filter(([, block]) => block.startsWith('credentials.field.'))).toEqual(
        own,
      );
      expect(own).toHaveLength(credentialProvider(id)?.fields.length ?? 0);
    },
  );

  test('has no fields until a provider is chosen', () => {
    expect(Object.keys(fieldsIn(credentialsView(KEPT, PRODUCTION, null)))).toEqual(['Provider']);
  });

  test('keeps the subscriber and environment, and nothing that was typed', () => {
    const { first, second } = viewFor('mattermost');
    expect(parseKept(first.private_metadata ?? '')).toEqual(KEPT);
    expect(parseChosen(second.private_metadata ?? '')).toEqual(chosen('mattermost'));
    expect([parseKept(''), parseKept('{"intent":1}'), parseChosen(first.private_metadata ?? '')]).toEqual([
      null,
      null,
      null,
    ]);
  });

  test('is accepted by Slack with hostile names', () => {
    for (const { id } of CREDENTIAL_PROVIDERS) {
      const { first, second } = viewFor(id, WORST);
      for (const view of [first, second]) expectView(view);
    }
  });

  test('names a protected environment and requires typing it', () => {
    const { second } = viewFor('fcm');
    expect(wordsOf(second)).toContain('Update fcm of user-1 in production, which is protected?');
    expect(Object.keys(fieldsIn(second))).toContain('Type production to confirm');
  });

  test('warns that all device tokens are removed before that is confirmed', () => {
    expect(linesToConfirm({ deviceTokens: [] })).toContain('Device tokens: none. All');
  });

  test("shows the masked credentials, and only counts those that don't fit", () => {
    const deviceTokens = Array.from({ length: 25 }, (_, index) => `a-long-device-token-${1_000 + index}`);
    const lines = linesToConfirm({ webhookUrl: 'https://hooks.example.com/T1/9f3c', channel: 'short', deviceTokens });
    expect(lines.split('\n')).toEqual([
      'Webhook URL: •••9f3c',
      'Channel: •••',
      expect.stringMatching(/^Device tokens \(25\): •••1000, •••1001, .*•••1019 and 5 more$/),
    ]);
  });
});

describe('the choice of an integration', () => {
  const known = [
    anIntegration({ provider: 'fcm', identifier: 'fcm-main', name: 'Firebase' }),
    anIntegration({ provider: 'fcm', identifier: 'fcm-old', name: 'Firebase of old', active: false }),
    anIntegration({ provider: 'fcm', identifier: 'fcm-gone', deleted: true }),
    anIntegration({ provider: 'apns', identifier: 'apns-main' }),
  ];
  const offered = (typed: string) => integrationOptions(known, 'fcm', typed).map(({ text }) => text.text);

  test("offers the provider's integrations that aren't deleted, and what was typed", () => {
    expect(offered('')).toEqual(['fcm-main · Firebase', 'fcm-old · Firebase of old · inactive']);
    expect(offered('OLD')).toEqual(['fcm-old · Firebase of old · inactive', 'Use “OLD”']);
    expect(offered('fcm-main')).toEqual(['fcm-main · Firebase']);
    expect(offered('“fcm-main”\u200b')).toEqual(['fcm-main · Firebase']);
  });

  test('finds in its block which integrations to offer', () => {
    expect(integrationsWanted('credentials.integration:production:fcm')).toEqual({
      environment: 'production',
      provider: 'fcm',
    });
    expect(integrationsWanted('something.else')).toBeNull();
  });
});

describe('the result of an update', () => {
  const held = (settings: readonly ChannelSettings[]) => ({ settings, isDeleted: false, unreadable: 0 });
  const updated = { subscriberId: WORST.subscriberId, provider: 'fcm', environment: PRODUCTION };

  test("says when the service doesn't return what it holds", () => {
    expect(wordsOf(updatedMessage(updated, held([])))).toContain("The service didn't return what it holds");
  });

  test('says that the subscriber is deleted, and how much of the response was unreadable', () => {
    const words = wordsOf(updatedMessage(updated, { ...held([settings('fcm')]), isDeleted: true, unreadable: 2 }));
    expect(words).toContain('says that this subscriber is deleted');
    expect(words).not.toContain('✅');
    expect(words).toContain("2 parts of the answer couldn't be read.");
  });

  const settings = (providerId: string) => ({
    providerId,
    integrationId: null,
    integrationIdentifier: HOSTILE,
    credentials: CREDENTIAL_FIELDS.map((field) => ({ field, masked: ['•••9f3c', '•••77aa'] })),
  });

  test('fits a message with the provider’s own settings first, however many there are', () => {
    const message = updatedMessage(
      updated,
      held([...Array.from({ length: 40 }, () => settings('slack')), settings('fcm')]),
    );
    expectFit(message);
    expect(wordsOf(message).indexOf('fcm\n')).toBeLessThan(wordsOf(message).indexOf('slack'));
    expect(wordsOf(message)).toMatch(/\d+ more providers don't fit here\./);
    expectFit(unknownSubscriberMessage(updated));
    expect(buttonsOf(message)).toEqual([]);
  });

  test('says when a provider holds nothing', () => {
    const empty = { ...settings('fcm'), credentials: [] };
    expect(wordsOf(updatedMessage(updated, held([empty])))).toContain('no credentials');
    expect(credentialLines([{ field: 'title', masked: ['•••'] }])).toEqual(['Title: •••']);
  });
});
