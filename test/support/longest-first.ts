import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The files that take longest, mostly waiting for kills, timeouts or starting processes. */
const LONGEST: readonly string[] = [
  'test/chaos/chaos.test.ts',
  'test/journeys/resend.test.ts',
  'test/journeys/leaks-nothing.test.ts',
  'src/main.test.ts',
  'test/in-the-page/page.test.ts',
  'src/store/embedded.test.ts',
  'test/journeys/slack-in-trouble.test.ts',
  'test/simulation/combinations.test.ts',
  'test/journeys/incidents.test.ts',
  'test/journeys/store-in-trouble.test.ts',
];

/** Starts the longest files first, so that a run's end doesn't wait for them alone. Vitest knows times only from an earlier run. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rest = await super.sort(files);
    const first = LONGEST.flatMap((name) => rest.filter(({ moduleId }) => moduleId.endsWith(`/${name}`)));
    return [...first, ...rest.filter((file) => !first.includes(file))];
  }
}
