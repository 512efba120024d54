import { describe, expect, test } from 'vitest';
import { ArgumentsError, HelpAsked } from './read-arguments.ts';
import { readRunArguments } from './run-arguments.ts';

const outageSoon = { scenario: 'provider-outage', seed: 1, speed: 1, inMs: 25_000 };

describe('the arguments of npm run sandbox', () => {
  test('all have defaults, with a provider outage soon after the start', () => {
    const defaults = { pagePort: 4600, servicePort: 4010, keep: false, opening: outageSoon, list: false };
    expect(readRunArguments([])).toEqual(defaults);
  });

  test('include ports and --keep', () => {
    const argv = ['--page-port', '5000', '--service-port=5001', '--keep'];
    expect(readRunArguments(argv)).toMatchObject({ pagePort: 5000, servicePort: 5001, keep: true });
  });

  test('include a scenario that begins at once, its seed and its speed', () => {
    const argv = ['--scenario', 'bounce-storm', '--seed', '7', '--speed', '4'];
    expect(readRunArguments(argv).opening).toEqual({ scenario: 'bounce-storm', seed: 7, speed: 4, inMs: 0 });
  });

  test('can request the list of scenarios', () => {
    expect(readRunArguments(['--list']).list).toBe(true);
  });

  test('with --help print the usage', () => {
    expect(() => readRunArguments(['--help'])).toThrow(HelpAsked);
    expect(() => readRunArguments(['--help'])).toThrow('Usage: npm run sandbox');
  });

  test.each([
    ['--page-port', 'x'],
    ['--page-port', '70000'],
    ['--service-port', '0'],
    ['--service-port', '65535'],
    ['--scenario', 'flood'],
    ['--seed', '1.5'],
    ['--speed', '3'],
    ['--colour'],
  ])('are rejected with the usage if they are %s %s', (...argv) => {
    expect(() => readRunArguments(argv)).toThrow(ArgumentsError);
    expect(() => readRunArguments(argv)).toThrow('Usage: npm run sandbox');
  });

  test('list the scenarios if one is unknown', () => {
    expect(() => readRunArguments(['--scenario', 'flood'])).toThrow('calm, provider-outage');
  });
});
