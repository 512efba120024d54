import { expect, test } from 'vitest';
import { CHANNELS, channelKey, channelName } from './channels.ts';

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
