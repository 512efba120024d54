import { readFile } from 'node:fs/promises';
import { relative } from 'node:path';
import { parseArgs } from 'node:util';
import { z } from 'zod';

/**
 * What failed in a run of the tests, for `.ci/run`. Usage: tsx scripts/failed-tests.ts [--counts | --files] <report.json of vitest>
 *   --counts   prints "<passed> <failed>"
 *   --files    prints the files with a failed test, or that could not be loaded, one a line
 *   otherwise  prints each failed test with the first line of its reason
 */
const Report = z.object({
  numPassedTests: z.number(),
  numFailedTests: z.number(),
  testResults: z.array(
    z.object({
      name: z.string(),
      status: z.string(),
      message: z.string(),
      assertionResults: z.array(
        z.object({ status: z.string(), fullName: z.string(), failureMessages: z.array(z.string()).default([]) }),
      ),
    }),
  ),
});
type FileResult = z.output<typeof Report>['testResults'][number];

const { values, positionals } = parseArgs({
  options: { counts: { type: 'boolean' }, files: { type: 'boolean' } },
  allowPositionals: true,
});
const report = Report.parse(JSON.parse(await readFile(positionals[0] ?? '', 'utf8')));
const failed = report.testResults.filter(({ status }) => status === 'failed');
process.stdout.write(linesOf().join(''));

function linesOf(): readonly string[] {
  if (values.counts) return [`${report.numPassedTests} ${report.numFailedTests}\n`];
  if (values.files) return failed.map((file) => `${pathOf(file)}\n`);
  return failed.flatMap((file) => reasonsOf(file).map((reason) => `  ${pathOf(file)} > ${reason}\n`));
}

function pathOf({ name }: FileResult): string {
  return relative(process.cwd(), name);
}

/** Returns the reasons for a failure, at least one: a file that couldn't be loaded has a reason and no test. */
function reasonsOf({ message, assertionResults }: FileResult): readonly string[] {
  const tests = assertionResults.filter(({ status }) => status === 'failed');
  if (tests.length === 0) return [firstLine(message) || 'it could not be loaded, or failed outside its tests'];
  return tests.map(({ fullName, failureMessages }) => `${fullName}: ${firstLine(failureMessages[0] ?? '')}`);
}

function firstLine(text: string): string {
  return text.split('\n')[0] ?? '';
}
