import { expect, test } from 'vitest';
import { ArgumentsError, HelpAsked } from '../read-arguments.ts';
import { readTranscriptArguments } from './transcript-arguments.ts';

test('transcript arguments default to #oncall as seen by ann', () => {
  expect(readTranscriptArguments([])).toEqual({ port: 4600, as: 'U0ANN', channel: 'oncall', once: false });
  const argv = ['--channel', '#general', '--as', 'ben', '--port', '4700', '--once'];
  expect(readTranscriptArguments(argv)).toEqual({ port: 4700, as: 'U0BEN', channel: 'general', once: true });
});

test.each(['ben', '@ben', 'Ben', 'U0BEN'])('transcript arguments take a person by name or ID: %s', (as) => {
  expect(readTranscriptArguments(['--as', as]).as).toBe('U0BEN');
});

test('invalid transcript arguments are rejected with the usage', () => {
  expect(() => readTranscriptArguments(['--colour'])).toThrow(ArgumentsError);
  expect(() => readTranscriptArguments(['--help'])).toThrow(HelpAsked);
});
