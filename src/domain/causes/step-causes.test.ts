import { describe, expect, test } from 'vitest';
import { judge } from '../failures/judge.ts';
import { aDetail, aJob, anEvent, at } from '../service/event.testing.ts';
import type { ExecutionDetail, Job } from '../service/event.ts';
import { explainCause } from './explain-cause.ts';
import { stepCauses } from './step-causes.ts';

const NO_CHANNEL = 'Subscriber does not have a configured channel';

function meaningOf(status: Job['status'], details: readonly ExecutionDetail[]): string | null {
  const event = anEvent({ jobs: [aJob({ id: 'job', status, type: 'push', details })] });
  const cause = stepCauses(judge(event, at(60)), explainCause).get('job');
  return cause?.known ? cause.entry.meaning : null;
}

describe('a step', () => {
  test('is explained by its last Failed detail', () => {
    const failed = aDetail({ detail: 'Layout not found' });
    expect(meaningOf('failed', [aDetail({ id: 'd0' }), failed])).toMatch(/layout doesn't exist/);
  });

  test('that is undeliverable is explained by its Warning if it has no Failed detail', () => {
    expect(meaningOf('canceled', [aDetail({ status: 'Warning', detail: NO_CHANNEL })])).toMatch(/no credentials/);
  });

  test("that was delivered with a Warning isn't explained as an error", () => {
    expect(meaningOf('completed', [aDetail({ status: 'Warning', detail: NO_CHANNEL })])).toBeNull();
  });
});
