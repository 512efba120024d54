import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { NamedIncident } from './incident-names.ts';
import { noteTyped } from './note-typed.ts';

const OPEN: NamedIncident[] = [
  { episodeId: 17, channel: 'email', provider: 'sendgrid', workflows: ['order-shipped', 'login-alert'] },
  { episodeId: 18, channel: 'sms', provider: 'twilio', workflows: ['order-shipped'] },
];

describe('a typed note', () => {
  test.each<[string, readonly string[], string]>([
    ['#17 key had been rotated', ['#17'], 'key had been rotated'],
    ['17 since: they said "no" to us', ['17'], 'since: they said "no" to us'],
    ['#17 #18 is the same', ['#17'], '#18 is the same'],
    ['17 18 is the same', ['17'], '18 is the same'],
    ['sendgrid order-shipped key rotated', ['sendgrid', 'order-shipped'], 'key rotated'],
    ['SendGrid waiting for them', ['SendGrid'], 'waiting for them'],
    ['sendgrid "email was blocked"', ['sendgrid'], 'email was blocked'],
    ['order-shipped is broken', ['order-shipped'], 'is broken'],
    ['sendgrid', ['sendgrid'], ''],
    ['sengrid key rotated', ['sengrid'], 'key rotated'],
    ['', [], ''],
    ['  #17   key\nrotated ', ['#17'], 'key rotated'],
    ['#17 "key" and "vault"', ['#17'], '"key" and "vault"'],
    ['#17 ""', ['#17'], ''],
    ['sms sms sms sms sms sms sms is down', ['sms', 'sms', 'sms', 'sms', 'sms', 'sms'], 'sms is down'],
  ])('%s', (typed, incident, text) => {
    expect(noteTyped(typed, OPEN)).toEqual({ incident, text });
  });

  test('loses no word', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom('sendgrid', 'email', 'key', '#17', 'was', 'sms')), (words) => {
        const { incident, text } = noteTyped(words.join(' '), OPEN);
        expect([...incident, ...text.split(' ').filter((word) => word !== '')]).toEqual(words);
      }),
    );
  });
});
