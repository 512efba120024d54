import { expect, it } from 'vitest';
import { ArgumentsError, HelpAsked } from '../read-arguments.ts';
import { readTranscriptArguments } from './transcript-arguments.ts';

it('looks at #oncall as ann, unless overridden', () => {
  expect(readTranscriptArguments([])).toEqual({ port: 4600, as: 'U0ANN', channel: 'oncall', once: false });
  const argv = ['--channel', '#general', '--as', 'ben', '--port', '4700', '--once'];
  expect(readTranscriptArguments(argv)).toEqual({ port: 4700, as: 'U0BEN', channel: 'general', once: true });
});

it('refuses what cannot be meant, and says how it is used', () => {
  expect(() => readTranscriptArguments(['--colour'])).toThrow(ArgumentsError);
  expect(() => readTranscriptArguments(['--help'])).toThrow(HelpAsked);
});
