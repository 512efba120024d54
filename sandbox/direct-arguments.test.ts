import { describe, expect, test } from 'vitest';
import { readDirectArguments } from './direct-arguments.ts';
import { ArgumentsError, HelpAsked } from './read-arguments.ts';

describe('the arguments of npm run sandbox:direct', () => {
  test.each([
    ['start bounce-storm', { do: 'start' }],
    ['start bounce-storm --seed 7 --speed 4', { do: 'start', seed: 7, speed: 4 }],
    ['stop bounce-storm', { do: 'stop' }],
    ['speed bounce-storm 16', { do: 'set-speed', speed: 16 }],
  ])('can be %s', (line, direction) => {
    expect(readDirectArguments(line.split(' '))).toEqual({
      port: 4600,
      order: { scenario: 'bounce-storm', direction },
    });
  });

  test.each(['', 'state', '--port 4601'])('only request the state if they are "%s"', (line) => {
    expect(readDirectArguments(line.split(' ').filter(Boolean)).order).toBeNull();
  });

  test.each(['--help', 'start calm -h'])('print the usage if they are %s', (line) => {
    expect(() => readDirectArguments(line.split(' '))).toThrow(HelpAsked);
    expect(() => readDirectArguments(line.split(' '))).toThrow('Usage: npm run sandbox:direct');
  });

  test.each([
    'start',
    'dance calm',
    'speed calm',
    'speed calm 0',
    'start calm --speed fast',
    'state --port x',
    '--colour',
  ])('are rejected with the usage if they are "%s"', (line) => {
    expect(() => readDirectArguments(line.split(' '))).toThrow(ArgumentsError);
    expect(() => readDirectArguments(line.split(' '))).toThrow('Usage: npm run sandbox:direct');
  });
});
