import { describe, expect, test } from 'vitest';
import { EVERYTHING, type Watchable, type WatchFilter, wants } from './watch.ts';

const GROUP: Watchable = {
  ...{ environment: 'production', workflow: 'order-shipped', workflowName: 'Order shipped' },
  ...{ channel: 'email', provider: 'sendgrid', severities: ['high', null], verdicts: ['failed'] },
  ...{ topics: ['launch'], contexts: ['tenant:acme'], tags: ['vip'], subscribers: ['user-1'] },
};

/** What matches the group by each filter. */
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
});
