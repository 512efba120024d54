import { expect, test } from 'vitest';
import { anEnvironment } from '../lib/environment.testing.ts';
import { StoreTroubleError } from '../lib/errors.ts';
import { silent } from '../lib/logger.testing.ts';
import { aJob, anEvent } from '../service/event.testing.ts';
import { anIntegration } from '../service/lists.testing.ts';
import { EVERYTHING, USUAL_SETTINGS } from '../watches/settings.ts';
import { aWatch } from '../watches/watch.testing.ts';
import { runChecks, type SetUpCheck } from './doctor.ts';
import { problem } from './finding.ts';
import { integrationFindings, pollingFindings } from './service-findings.ts';
import { botFindings } from './token-findings.ts';
import { aimlessWatches } from './watch-findings.ts';

const FOUND = problem('It is broken.', 'Mend it.');
const check = (subject: string, look: SetUpCheck['look']): SetUpCheck => ({ subject, look });
const never = () => new Promise<never>(() => {});

test('each check gives what it found, and one that fails is reported and logged', async () => {
  const failure = new Error('no way');
  const warnings: object[] = [];
  const logger = { ...silent, warn: (fields: object) => void warnings.push(fields) };
  const checks = [
    check('Broken', () => Promise.reject(failure)),
    check('Stored', () => Promise.reject(new StoreTroubleError('refused'))),
    check('A', async () => [FOUND]),
    check('B', async () => []),
  ];
  expect(await runChecks(checks, { sleep: never, logger })).toMatchObject([
    { subject: 'Broken', findings: [{ is: 'unknown', what: "This check couldn't run." }] },
    { subject: 'Stored', findings: [{ is: 'unknown', what: 'This check needs the database.' }] },
    { subject: 'A', findings: [FOUND] },
    { subject: 'B', findings: [] },
  ]);
  expect(warnings).toMatchObject([{ err: failure, subject: 'Broken' }, { subject: 'Stored' }]);
});

test('what another check found as well is named once, and its check is not called passed', async () => {
  const checks = [check('Watches', async () => [FOUND]), check('Notif itself', async () => [FOUND])];
  const [watches, ...others] = await runChecks(checks, { sleep: never, logger: silent });
  expect([watches, others]).toEqual([{ subject: 'Watches', findings: [FOUND] }, []]);
});

test('a check that takes longer than ten seconds is given up, and the others are shown', async () => {
  const slept: number[] = [];
  const sleep = async (ms: number) => void slept.push(ms);
  const [slow] = await runChecks([check('Slow', never)], { sleep, logger: silent });
  expect(slow?.findings).toMatchObject([{ is: 'unknown', what: 'This took longer than 10 s.' }]);
  expect(slept).toEqual([10_000]);
});

test("scopes that Slack doesn't name are unknown, neither granted nor missing", async () => {
  const found = (scopes: string[] | null) => {
    const bot = async () => ({ is: 'accepted', scopes, clockAheadMs: 0 }) as const;
    return botFindings({ tokenChecks: { bot, app: null }, neededScopes: ['chat:write'] });
  };
  expect(await found(null)).toMatchObject([{ is: 'unknown', what: 'Scopes unknown: Slack names none.' }]);
  expect(await found(['chat:write'])).toEqual([]);
});

test('a watch of environments that are no longer configured is found, with its channel', () => {
  const about = (environments: string[], channel: string) =>
    aWatch({ channel, settings: { ...USUAL_SETTINGS, filter: { ...EVERYTHING, environments } } });
  const all = [about(['default'], 'C1'), about(['default', 'production'], 'C2'), about([], 'C3')];
  expect(aimlessWatches(all, [anEnvironment()])).toMatchObject([
    { is: 'problem', about: [{ kind: 'channel', id: 'C1' }] },
  ]);
});

test('a channel that is used without an active integration is found, and email whose bounces are never reported', () => {
  const items = [
    anIntegration({ name: 'FCM', channel: 'push', active: false }),
    anIntegration({ name: 'SendGrid', channel: 'email', inboundWebhook: false }),
    anIntegration({ name: 'Twilio', channel: 'sms', active: false }),
  ];
  const found = { items, inactiveChannels: ['push', 'sms'], isEnvironmentKnown: true, unreadable: 0 };
  expect(integrationFindings([anEvent({ jobs: [aJob({ type: 'push' })] })], found)).toMatchObject([
    { is: 'problem', what: expect.stringContaining('Workflows send by push, but'), about: [{ id: 'FCM' }] },
    { is: 'advice', what: 'Bounces are never reported for email sent with:', about: [{ id: 'SendGrid' }] },
  ]);
});

test('an environment that was not checked yet is found, with what to do', () => {
  const conditions = [
    { is: 'fine', words: 'up to date', what: '', next: '' },
    { is: 'unknown', words: 'not checked yet', what: '', next: '' },
    { is: 'problem', words: 'polling stalled', what: 'It has stalled.', next: 'Restart it.' },
  ] as const;
  expect(pollingFindings(conditions.map((condition) => ({ condition })))).toMatchObject([
    { is: 'unknown', what: 'not checked yet', next: expect.stringContaining('/notif status') },
    { is: 'problem', what: 'It has stalled.', next: 'Restart it.' },
  ]);
});
