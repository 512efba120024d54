import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The files that take longest, mostly waiting for kills, timeouts or starting processes. */
const LONGEST: readonly string[] = [
  'test/chaos/chaos.test.ts',
  'test/simulation/combinations.test.ts',
  'test/journeys/store-in-trouble.test.ts',
  'test/journeys/leaks-nothing.test.ts',
  'test/journeys/acting.test.ts',
  'test/journeys/kill.test.ts',
  'test/journeys/outages.test.ts',
  'src/store/database/embedded.test.ts',
  'src/store/database/disk-in-trouble.test.ts',
  'src/polling/poll.test.ts',
  'sandbox/page.test.ts',
  'test/in-the-page/acting.test.ts',
  'test/journeys/service-in-trouble.test.ts',
  'test/journeys/trigger-rows.test.ts',
  'test/journeys/watches.test.ts',
  'src/main.test.ts',
];

/**
 * Starts the longest files first, so that the end of a run doesn't wait for them alone. Vitest would know their times only from an earlier
 * run.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rest = await super.sort(files);
    const first = LONGEST.flatMap((name) => rest.filter(({ moduleId }) => moduleId.endsWith(`/${name}`)));
    return [...first, ...rest.filter((file) => !first.includes(file))];
  }
}
