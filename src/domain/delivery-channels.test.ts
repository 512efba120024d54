import { describe, expect, test } from 'vitest';
import { channelAsMeant, knownChannel } from './delivery-channels.ts';

describe('a channel', () => {
  test.each(['in-app', 'In App', 'in_app', ' IN-APP '])('is meant by %j', (typed) => {
    expect(channelAsMeant(typed)).toBe('in_app');
    expect(knownChannel(typed)).toBe('in_app');
  });

  test('is refused where the contract has none of that name, with the nearest', () => {
    expect(() => knownChannel('emial')).toThrow('No message goes by emial. Did you mean email?');
    expect(() => knownChannel('pigeon')).toThrow('There are in_app, email, sms, chat, push.');
  });
});
