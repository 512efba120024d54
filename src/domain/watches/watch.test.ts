import { describe, expect, test } from 'vitest';
import type { Changed } from '../changes/change.ts';
import { aDeploy, anIntegrationChange, aWorkflowChange } from '../changes/changes.testing.ts';
import { ALL_FAILURES } from '../failures/failure-filter.ts';
import { aWatch } from './watch.testing.ts';
import {
  EVERYTHING,
  failureFilterOf,
  isAbout,
  mayCover,
  requireRoom,
  type Watchable,
  type WatchFilter,
  wantsChange,
} from './watch.ts';

const INCIDENT: Watchable = {
  ...{ environment: 'production', channel: 'email', provider: 'sendgrid', announcement: 'announced' },
};

const MATCHING: WatchFilter = {
  ...{ environments: ['production'], workflows: ['ORDER shipped'], channels: ['Email'], providers: ['SendGrid'] },
  ...{ subscribers: ['user-1'], severities: ['HIGH'], verdicts: ['failed'], topics: ['Launch'] },
  ...{ contexts: ['tenant:acme'], tags: ['VIP'] },
};

describe('a watch', () => {
  test.for(['environments', 'channels', 'providers'])('covers an incident by its %s, and no other', (name) => {
    expect(mayCover({ ...EVERYTHING, [name]: Reflect.get(MATCHING, name) }, INCIDENT)).toBe(true);
    expect(mayCover({ ...EVERYTHING, [name]: ['something else'] }, INCIDENT)).toBe(false);
  });

  test('hears of warnings only if it asks for them', () => {
    const warning = { ...INCIDENT, announcement: 'warning' } as const;
    expect(mayCover(EVERYTHING, warning)).toBe(false);
    expect(mayCover({ ...EVERYTHING, verdicts: ['warning'] }, warning)).toBe(true);
    expect(mayCover(EVERYTHING, { ...INCIDENT, announcement: 'undeliverable' })).toBe(false);
  });

  test('covers the environments that it names, or all', () => {
    expect(isAbout({ environments: ['staging', 'Production'] }, 'production')).toBe(true);
    expect(isAbout({ environments: ['staging'] }, 'production')).toBe(false);
    expect(isAbout(EVERYTHING, 'production')).toBe(true);
  });

  test('filters failures as it filters incidents, in whatever environment', () => {
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
