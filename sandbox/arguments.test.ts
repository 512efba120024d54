import { describe, expect, test } from 'vitest';
import { readOptions } from './arguments.ts';

describe('the arguments of npm run sandbox', () => {
  test('include ports, --keep, and a scenario with its seed and speed', () => {
    const argv = ['--page-port', '5000', '--service-port=5001', '--keep'];
    expect(readOptions('sandbox', argv)).toMatchObject({ 'page-port': 5000, 'service-port': 5001, keep: true });
    const outage = ['--scenario', 'bounce-storm', '--seed', '7', '--speed', '4'];
    expect(readOptions('sandbox', outage)).toMatchObject({ scenario: 'bounce-storm', seed: 7, speed: 4 });
  });

  test('print the usage with --help, and the scenarios with --list', () => {
    expect(() => readOptions('sandbox', ['--help'])).toThrow('--scenario');
    expect(() => readOptions('service', ['--help'])).toThrow('Usage: npm run sandbox:service');
    expect(() => readOptions('sandbox', ['--list'])).toThrow(/^calm +10:00 {2}Ten minutes/);
  });

  test.each([['--page-port', '70000'], ['--service-port', '65535'], ['--seed', '1.5'], ['--speed', '3'], ['--color']])(
    'are rejected with the usage if they are %s %s',
    (...argv) => {
      expect(() => readOptions('sandbox', argv)).toThrow('Usage: npm run sandbox');
    },
  );
});
