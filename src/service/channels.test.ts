import { describe, expect, test } from 'vitest';
import { CHANNELS, channelKey, channelName, parseChannel } from './channels.ts';

test.each([
  ['http_request', 'HTTP request'],
  ['look_up_order', 'look up order'],
  ['+15550104477_step', '•••77 step'],
])('a step type outside of the contract has a name that reads: %s', (type, name) => {
  expect(channelName(type)).toBe(name);
});

test.each([...CHANNELS, 'http_request', 'look_up_order'])('%s is found by its name', (type) => {
  expect(channelKey(channelName(type))).toBe(type);
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
