import { describe, expect, test } from 'vitest';
import { judge } from '../judging/judge.ts';
import { aDetail, aJob, anEvent, at } from '../service/event.testing.ts';
import type { ExecutionDetail, Job } from '../service/event.ts';
import { explainCause, failureCauses } from './explain-cause.ts';

const NO_CHANNEL = 'Subscriber does not have a configured channel';

function meaningOf(status: Job['status'], details: ExecutionDetail[]): string | null {
  const event = anEvent({ jobs: [aJob({ id: 'job', status, type: 'push', details })] });
  const [cause] = failureCauses(judge(event, at(60)), explainCause).values();
  return cause?.entry?.meaning ?? null;
}

describe('a step', () => {
  test('that is undeliverable is explained by its Warning if it has no Failed detail', () => {
    expect(meaningOf('canceled', [aDetail({ status: 'Warning', detail: NO_CHANNEL })])).toMatch(/no credentials/);
  });

  test("that was delivered with a Warning isn't explained as an error", () => {
    expect(meaningOf('completed', [aDetail({ status: 'Warning', detail: 'Layout not found' })])).toBeNull();
  });

  test("is explained by its detail's text and response, and by its own provider where the detail names none", () => {
    const errorsOf = (change: Parameters<typeof aDetail>[0]) => {
      const errors: object[] = [];
      const job = aJob({ id: 'job', status: 'failed', type: 'push', provider: 'fcm', details: [aDetail(change)] });
      failureCauses(judge(anEvent({ jobs: [job] }), at(60)), ({ provider, channel, cause: { text } }) => {
        errors.push({ provider, channel, text });
        return { entry: null, provider: null, statusPage: null };
      });
      return errors;
    };
    expect(errorsOf({ detail: 'Not taken', provider: 'expo', raw: '{"code":17}' })).toEqual([
      { provider: 'expo', channel: 'push', text: 'Not taken (code=17)' },
    ]);
    expect(errorsOf({ detail: 'Not taken', provider: null, raw: null })).toEqual([
      { provider: 'fcm', channel: 'push', text: 'Not taken' },
    ]);
  });

  test('without any detail has no cause', () => {
    const job = aJob({ status: 'failed', type: 'push', details: [] });
    expect(failureCauses(judge(anEvent({ jobs: [job] }), at(60)), explainCause).size).toBe(0);
  });

  test("is explained by its error, whatever came after that didn't fail it", () => {
    const failed = aDetail({ detail: 'Layout not found' });
    const later = [
      aDetail({ id: 'd2', status: 'Warning', detail: NO_CHANNEL }),
      aDetail({ id: 'd3', status: 'Pending' }),
    ];
    expect(meaningOf('failed', [failed, ...later])).toMatch(/layout doesn't exist/);
  });
});
