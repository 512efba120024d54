import { describe, expect, it } from 'vitest';
import { ArgumentsError, readRunArguments } from './run-arguments.ts';

describe('the arguments of npm run sandbox', () => {
  it('has defaults for all', () => {
    expect(readRunArguments([])).toEqual({ pagePort: 4600, servicePort: 4010, keep: false });
  });

  it('takes ports and --keep', () => {
    const argv = ['--page-port', '5000', '--service-port=5001', '--keep'];
    expect(readRunArguments(argv)).toEqual({ pagePort: 5000, servicePort: 5001, keep: true });
  });

  it.each([['--page-port', 'x'], ['--page-port', '70000'], ['--service-port', '0'], ['--colour']])(
    'refuses %s %s, and says how it is used',
    (...argv) => {
      expect(() => readRunArguments(argv)).toThrow(ArgumentsError);
      expect(() => readRunArguments(argv)).toThrow('Usage: npm run sandbox');
    },
  );
});
