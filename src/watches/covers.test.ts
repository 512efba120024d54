import { describe, expect, test } from 'vitest';
import { mayCover, notifiesFor, type Watchable } from './covers.ts';
import { EVERYTHING, USUAL_SETTINGS, type WatchFilter } from './settings.ts';
import { aWatch } from './watch.testing.ts';

const WHERE = { environment: 'production', channel: 'email', provider: 'sendgrid' };
const INCIDENT: Watchable = { ...WHERE, kind: 'failures', verdictClass: 'announced' };

describe("a watch's filter", () => {
  test.each([
    ['environments', 'Production'],
    ['channels', 'Email'],
    ['providers', 'SendGrid'],
  ] as const)('may cover an incident by its %s, and no other', (name, value) => {
    expect(mayCover({ ...EVERYTHING, [name]: [value] }, INCIDENT)).toBe(true);
    expect(mayCover({ ...EVERYTHING, [name]: ['something else'] }, INCIDENT)).toBe(false);
  });

  test('covers an outage of its environments, whatever else it filters by', () => {
    const outage = { ...INCIDENT, kind: 'unreadable', channel: '', provider: null } as const;
    expect(mayCover({ ...EVERYTHING, channels: ['sms'] }, outage)).toBe(true);
    expect(mayCover({ ...EVERYTHING, environments: ['staging'] }, outage)).toBe(false);
  });

  test('covers warnings only if it asks for them', () => {
    const warning = { ...INCIDENT, verdictClass: 'warning' } as const;
    expect(mayCover(EVERYTHING, warning)).toBe(false);
    expect(mayCover({ ...EVERYTHING, verdicts: ['warning'] }, warning)).toBe(true);
  });

  test('covers more with another value or with none, but not with fewer values', () => {
    const sms = { ...EVERYTHING, channels: ['sms'] };
    const covering = (filter: WatchFilter) => aWatch({ settings: { ...USUAL_SETTINGS, filter } });
    const coversMore = (before: WatchFilter, after: WatchFilter) => !notifiesFor(covering(before), covering(after));
    expect(coversMore(sms, { ...sms, channels: ['sms', 'email'] })).toBe(true);
    expect(coversMore(sms, EVERYTHING)).toBe(true);
    expect(coversMore({ ...sms, channels: ['sms', 'email'] }, sms)).toBe(false);
    expect(coversMore(EVERYTHING, sms)).toBe(false);
    expect(coversMore(EVERYTHING, { ...EVERYTHING, verdicts: ['warning'] })).toBe(true);
    expect(coversMore(EVERYTHING, { ...EVERYTHING, verdicts: ['failed'] })).toBe(false);
  });
});
