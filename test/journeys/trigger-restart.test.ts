import { expect, test } from 'vitest';
import { inWorld } from '../support/world.ts';

const MINUTE = 60_000;

test(
  'Notif follows a test to its end over a restart, in the same message, and sends nothing again',
  // On a server another replica might be following the test, so Notif resumes it after three minutes: see src/jobs/resume-triggers.test.ts.
  inWorld({ database: 'embedded' }, async ({ ann, service, stop, start, passes }) => {
    await ann.types('/notif trigger appointment-reminder');
    await ann.seesModal('appointment-reminder');
    await ann.fillsIn({ Subscribers: 'user-1', Payload: '{"startsAt": "2030-01-01T09:00:00Z"}' });
    expect(await ann.submits()).toEqual([]);
    const begun = await ann.sees('⏳ user-1 in progress', ann.directMessages);
    await stop();
    await start();
    await ann.sees("Resumed: Notif is checking what went through, and won't resend.", ann.directMessages);
    passes(200 * MINUTE);
    const ended = await ann.sees('✅ user-1 delivered', ann.directMessages);
    expect(ended.spot).toEqual(begun.spot);
    expect(service.requests.count('triggerEvents')).toBe(1);
  }),
);
