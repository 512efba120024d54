import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ChannelBody } from './credentials.ts';

const TOKEN = 'fcm-token-0123456789-9f3c';

const maskedCredentials = (credentials: object) => ChannelBody.parse({ providerId: 'fcm', credentials }).credentials;

describe('masked credentials', () => {
  test('show the ends of long values alone, in the order of forms', () => {
    const credentials = {
      channel: '#alerts',
      deviceTokens: [TOKEN, 'short'],
      webhookUrl: 'https://hooks.example.com/services/T0/B0/abcd1234',
    };
    expect(maskedCredentials(credentials)).toEqual([
      { field: 'webhookUrl', masked: ['•••1234'] },
      { field: 'channel', masked: ['•••'] },
      { field: 'deviceTokens', masked: ['•••9f3c', '•••'] },
    ]);
  });

  test('leave out what the service holds no value of', () => {
    expect(maskedCredentials({ webhookUrl: '', channel: null, deviceTokens: ['', TOKEN], title: undefined })).toEqual([
      { field: 'deviceTokens', masked: ['•••9f3c'] },
    ]);
    expect(maskedCredentials({ deviceTokens: [] })).toEqual([]);
  });

  test('never show more than four characters of a value', () => {
    fc.assert(
      fc.property(fc.array(fc.stringMatching(/^[A-Za-z0-9]{5,60}$/)), (deviceTokens) => {
        for (const { masked } of maskedCredentials({ deviceTokens }))
          expect(masked.every((each) => /^•••(?:.{4})?$/u.test(each))).toBe(true);
      }),
    );
  });
});
