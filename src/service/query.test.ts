import { describe, expect, test } from 'vitest';
import { channelKey, parseChannel } from './channels.ts';
import { typedContextKey } from './query.ts';

test("a context's key is its type and ID", () => {
  expect(typedContextKey('tenant:acme')).toBe('tenant:acme');
  expect(() => typedContextKey('tenant')).toThrow('A context is named type:id');
});

describe('a channel', () => {
  test.each(['in-app', 'In App', 'in_app', ' IN-APP '])('is recognized in %j', (typed) => {
    expect(channelKey(typed)).toBe('in_app');
    expect(parseChannel(typed)).toBe('in_app');
  });

  test("is refused if it isn't in the contract, with the nearest name", () => {
    expect(() => parseChannel('emial')).toThrow('There is no channel emial. Did you mean email?');
    expect(() => parseChannel('pigeon')).toThrow('There are: in_app, email, sms, chat, ');
  });
});
