import { describe, expect, test } from 'vitest';
import { aWatch } from '../alerting/alert-decision.testing.ts';
import type { Changed } from '../changes/change.ts';
import { aDeploy, anIntegrationChange, aWorkflowChange } from '../changes/changes.testing.ts';
import { ALL_FAILURES } from '../failures/failure-filter.ts';
import {
  countsOwn,
  EVERYTHING,
  failureFilterOf,
  isAbout,
  requireRoom,
  type Watchable,
  type WatchFilter,
  wants,
  wantsChange,
} from './watch.ts';

const GROUP: Watchable = {
  ...{ environment: 'production', workflow: 'order-shipped', workflowName: 'Order shipped' },
  ...{ channel: 'email', provider: 'sendgrid', severities: ['high', null], verdicts: ['failed'] },
  ...{ topics: ['launch'], contexts: ['tenant:acme'], tags: ['vip'], subscribers: ['user-1'] },
};

const MATCHING: WatchFilter = {
  ...{ environments: ['production'], workflows: ['ORDER shipped'], channels: ['Email'], providers: ['SendGrid'] },
  ...{ subscribers: ['user-1'], severities: ['HIGH'], verdicts: ['failed'], topics: ['Launch'] },
  ...{ contexts: ['tenant:acme'], tags: ['VIP'] },
};

describe('a watch', () => {
  test.each(Object.keys(MATCHING))('covers a group by its %s, and no other', (name) => {
    const matching: Partial<WatchFilter> = { [name]: Reflect.get(MATCHING, name) };
    expect(wants({ ...EVERYTHING, ...matching }, GROUP)).toBe(true);
    expect(wants({ ...MATCHING, [name]: ['something else'] }, GROUP)).toBe(false);
  });

  test('covers a workflow by its identifier or its name', () => {
    expect(wants({ ...EVERYTHING, workflows: ['order-shipped'] }, GROUP)).toBe(true);
    expect(wants({ ...EVERYTHING, workflows: ['Order shipped'] }, GROUP)).toBe(true);
  });

  test.for([{ contexts: ['tenant:ACME'] }, { subscribers: ['USER-1'] }])('compares IDs exactly: %j', (filter) => {
    expect(wants({ ...EVERYTHING, ...filter }, GROUP)).toBe(false);
  });

  test.for([
    [['warning'], [], false],
    [['warning'], ['failed'], false],
    [['warning'], ['warning'], true],
    [['warning', 'failed'], [], true],
    [['failed'], ['warning'], false],
    [[], [], true],
  ] as const)('covers what has only warnings if it asks for them: %j with %j, %s', ([verdicts, asked, isCovered]) => {
    expect(wants({ ...EVERYTHING, verdicts: asked }, { ...GROUP, verdicts })).toBe(isCovered);
  });

  test('covers the environments that it names, or all', () => {
    expect(isAbout({ environments: ['staging', 'Production'] }, 'production')).toBe(true);
    expect(isAbout({ environments: ['staging'] }, 'production')).toBe(false);
    expect(isAbout(EVERYTHING, 'production')).toBe(true);
  });

  test('counts only matching failures of a group if it filters by what differs within one', () => {
    const filters = Object.keys(MATCHING).filter((name) =>
      countsOwn({ ...EVERYTHING, [name]: Reflect.get(MATCHING, name) }),
    );
    expect(filters).toEqual(['subscribers', 'contexts', 'tags']);
    expect(countsOwn(EVERYTHING)).toBe(false);
    expect(countsOwn(MATCHING)).toBe(true);
  });

  test('filters failures as it filters groups, in whatever environment', () => {
    const { environments: _, ...lists } = MATCHING;
    expect(failureFilterOf(EVERYTHING)).toEqual(ALL_FAILURES);
    expect(failureFilterOf(MATCHING)).toEqual({ ...ALL_FAILURES, ...lists });
  });
});

test('a channel has at most twenty watches', () => {
  const watches = (count: number) => Array.from({ length: count }, () => aWatch());
  expect(() => requireRoom(watches(19))).not.toThrow();
  expect(() => requireRoom(watches(20))).toThrow(
    expect.objectContaining({
      field: 'watch',
      message: 'A channel has at most 20 watches. Remove one first.',
      example: '/notif watches',
    }),
  );
});

const shows = (what: Changed, filter: Partial<WatchFilter> = {}) => wantsChange({ ...EVERYTHING, ...filter }, what);

describe('a watch with changes:on', () => {
  test.for([aDeploy(), anIntegrationChange(), aWorkflowChange()])(
    'shows each change if it filters nothing: $kind',
    (what) => {
      expect(shows(what)).toBe(true);
    },
  );

  test('shows every deploy, which may touch anything', () => {
    expect(shows(aDeploy(), { workflows: ['welcome'], channels: ['sms'], providers: ['twilio'] })).toBe(true);
  });

  test('shows an integration of its channels and providers, whatever workflows it covers', () => {
    const sendgrid = anIntegrationChange({ channel: 'email', provider: 'sendgrid' });
    expect(shows(sendgrid, { channels: ['Email'], providers: ['SendGrid'], workflows: ['welcome'] })).toBe(true);
    expect(shows(sendgrid, { channels: ['sms'] })).toBe(false);
    expect(shows(sendgrid, { channels: ['email'], providers: ['ses'] })).toBe(false);
    expect(shows(sendgrid, { channels: ['sms'], providers: ['sendgrid'] })).toBe(false);
  });

  test('shows a workflow that it names by identifier or name, whatever channels it covers', () => {
    const workflow = aWorkflowChange({ identifier: 'order-shipped', name: 'Order is shipped' });
    expect(shows(workflow, { workflows: ['order-shipped'], channels: ['sms'] })).toBe(true);
    expect(shows(workflow, { workflows: ['order IS shipped'] })).toBe(true);
    expect(shows(workflow, { workflows: ['welcome'] })).toBe(false);
  });
});
