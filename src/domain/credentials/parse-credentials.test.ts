import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { withExample } from '../errors.ts';
import { CREDENTIAL_PROVIDERS, credentialProvider } from './credential-providers.ts';
import { CREDENTIAL_FIELDS, type CredentialField } from './credentials.ts';
import { parseCredentials } from './parse-credentials.ts';

type Typed = { readonly [Field in CredentialField]?: string };

function read(providerId: string, typed: Typed) {
  const provider = credentialProvider(providerId);
  if (provider === null) throw new Error(`there is no provider ${providerId}`);
  return parseCredentials(provider, (field) => typed[field] ?? '');
}

describe('typed credentials', () => {
  test('are the fields of the provider that are filled in', () => {
    const typed = { webhookUrl: ' https://hooks.example.com/a ', channel: '#alerts', alertUid: 'not asked for' };
    expect(read('mattermost', typed)).toEqual({
      is: 'complete',
      credentials: { webhookUrl: 'https://hooks.example.com/a', channel: '#alerts' },
    });
    expect(read('mattermost', { channel: '#alerts' })).toMatchObject({ credentials: { channel: '#alerts' } });
    const inside = { webhookUrl: 'http://mattermost.internal:8065/hooks/a' };
    expect(read('mattermost', inside)).toEqual({ is: 'complete', credentials: inside });
  });

  test('have device tokens line by line, each once', () => {
    expect(read('fcm', { deviceTokens: ' one \n\n two\none' })).toEqual({
      is: 'complete',
      credentials: { deviceTokens: ['one', 'two'] },
    });
  });

  test.each<[string, Typed, CredentialField, string]>([
    ['slack', {}, 'webhookUrl', 'nothing is filled in yet'],
    ['fcm', { deviceTokens: ' \n ' }, 'deviceTokens', 'nothing is filled in yet'],
    ['fcm', { deviceTokens: 'one\ntwo three' }, 'deviceTokens', 'Token 2 has a blank in it'],
    ['fcm', { deviceTokens: 'one two\nthree' }, 'deviceTokens', 'Token 1 has a blank in it'],
    ['discord', { webhookUrl: 'hooks.example.com/x' }, 'webhookUrl', 'This is no web address.'],
    ['discord', { webhookUrl: 'javascript:alert(1)' }, 'webhookUrl', 'This is no web address.'],
    [
      'discord',
      { webhookUrl: 'x-https://hooks.example.com/x' },
      'webhookUrl',
      'For example: https://hooks.example.com/…',
    ],
    ['discord', { webhookUrl: 'httpsx://hooks.example.com/x' }, 'webhookUrl', 'This is no web address.'],
    ['grafana-on-call', { title: 'Down', imageUrl: 'picture' }, 'imageUrl', 'This is no web address.'],
  ])('of %s with %j are refused with the reason', (provider, typed, field, words) => {
    const found = read(provider, typed);
    expect(found.is === 'wrong' && [...found.errors].map(([at, error]) => [at, withExample(error)])).toEqual([
      [field, expect.stringContaining(words)],
    ]);
  });

  test('remove all device tokens only if that is explicitly requested', () => {
    const fcm = credentialProvider('fcm');
    const emptied = (typed: string) =>
      fcm && parseCredentials(fcm, (field) => (field === 'deviceTokens' ? typed : 'not asked for'), true);
    expect(emptied(' ')).toEqual({ is: 'complete', credentials: { deviceTokens: [] } });
    const refused = { field: 'deviceTokens', message: expect.stringContaining('Leave this empty') };
    expect(emptied('one')).toEqual({
      is: 'wrong',
      errors: new Map([['deviceTokens', expect.objectContaining(refused)]]),
    });
  });

  test('have nothing else removed where a provider has no device tokens', () => {
    const slack = credentialProvider('slack');
    expect(slack && parseCredentials(slack, () => '', true)).toMatchObject({ is: 'wrong' });
  });

  test('are never quoted in an error', () => {
    const secret = fc.stringMatching(/^[A-Za-z0-9]{12,20}$/);
    fc.assert(
      fc.property(secret, fc.constantFrom(...CREDENTIAL_PROVIDERS), (value, { id }) => {
        const typed = Object.fromEntries(CREDENTIAL_FIELDS.map((field) => [field, `${value} ${value}`]));
        const found = read(id, typed);
        const said = found.is === 'wrong' ? [...found.errors.values()].map(withExample).join() : '';
        expect(said).not.toContain(value);
      }),
    );
  });
});

describe('the providers', () => {
  test('are those of the contract, each once', () => {
    const inContract =
      'slack, discord, msteams, mattermost, ryver, zulip, grafana-on-call, getstream, rocket-chat, whatsapp-business, ' +
      'chat-webhook, svc-slack, fcm, apns, expo, one-signal, pushpad, push-webhook, pusher-beams, appio';
    expect(CREDENTIAL_PROVIDERS.map(({ id }) => id).sort()).toEqual(inContract.split(', ').sort());
  });

  test('together use every field of the contract', () => {
    expect(new Set(CREDENTIAL_PROVIDERS.flatMap(({ fields }) => fields))).toEqual(new Set(CREDENTIAL_FIELDS));
  });
});
