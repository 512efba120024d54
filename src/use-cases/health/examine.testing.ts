import type { CheckResult } from '../../domain/health/check-result.ts';
import type { SetupCheck } from './examine.ts';

/** Returns the results that aren't fine: '<verdict> <subject>: <what> <names>', a line each. */
export async function troublesOf(checks: readonly SetupCheck[]): Promise<string[]> {
  const found = await Promise.all(checks.map((check) => check.look(new AbortController().signal)));
  return found
    .flat()
    .filter(({ verdict }) => verdict !== 'fine')
    .map(lineOf);
}

function lineOf({ verdict, subject, what, about }: CheckResult): string {
  return [`${verdict} ${subject}: ${what}`, ...about.map(({ id }) => id)].join(' ');
}
