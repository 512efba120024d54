import { describe, expect, test } from 'vitest';
import { Payload } from './payload.ts';

describe('a payload', () => {
  const content = {
    orderId: 'A-17',
    apiKey: 'abc',
    'first name': 'Anna',
    'anna@example.com': 'her own address',
    '+491701234567': 'her number',
    'https://hooks.example.com/T0/B0/x': 'where to',
    'Authorization: Bearer abcdef': 'a header',
  };

  test('lists its field names, except those that are a contact or a secret', () => {
    expect(new Payload(content).fields).toEqual(['orderId', 'apiKey', 'first name']);
  });

  test('becomes JSON only masked, in every way', () => {
    expect(JSON.stringify({ payload: new Payload({ apiKey: 'abc', mail: 'anna@example.com' }) })).toBe(
      '{"payload":{"apiKey":"•••","mail":"a•••@example.com"}}',
    );
  });

  test('is unmasked for the service that it came from', () => {
    expect(new Payload(content).forTrigger()).toEqual(content);
  });
});
