import { describe, expect, it } from 'vitest';
import { EVERYTHING } from './watch.ts';
import { unknownNames } from './watch-names.ts';

const KNOWN = {
  workflows: ['order-shipped', 'Order shipped', 'weekly-news'],
  channels: ['http_request'],
  providers: ['sendgrid'],
  severities: [],
  topics: ['launch'],
  contexts: ['tenant:acme'],
  tags: ['checkout'],
};

describe('unknownNames', () => {
  it('finds none in a filter of known names, in any case', () => {
    const filter = { ...EVERYTHING, workflows: ['ORDER SHIPPED'], providers: ['SendGrid'], topics: ['launch'] };
    expect(unknownNames(filter, KNOWN)).toEqual([]);
  });

  it("includes the contract's channels and severities before anything was seen", () => {
    const filter = { ...EVERYTHING, channels: ['email', 'in_app', 'http_request'], severities: ['high'] };
    expect(unknownNames(filter, KNOWN)).toEqual([]);
  });

  it('suggests the nearest known name', () => {
    const filter = {
      ...EVERYTHING,
      workflows: ['order-shiped', 'weekly-news'],
      topics: ['winter'],
      contexts: ['tenant:acmy'],
      tags: ['CHECKOUT'],
    };
    expect(unknownNames(filter, KNOWN)).toEqual([
      { what: 'workflow', name: 'order-shiped', meant: 'order-shipped' },
      { what: 'topic', name: 'winter', meant: null },
      { what: 'context', name: 'tenant:acmy', meant: 'tenant:acme' },
    ]);
  });
});
