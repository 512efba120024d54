import { outage, quiet } from '../fault-windows.ts';
import { expiredKey, noCertificate } from '../outages.ts';
import { MINUTE, type Scenario } from '../scenario.ts';

export const secondCause: Scenario = {
  name: 'second-cause',
  title: 'A second cause during the first',
  description:
    'SendGrid refuses a key for six minutes. Two minutes into that, Firebase misses a certificate, for four.',
  lookFor: 'Two incidents, each with its own start, count and end; the second is alerted although the first is open.',
  lastsMs: 13 * MINUTE,
  alone: false,
  plan: () => [
    outage(expiredKey, { from: 0, to: 6 * MINUTE }),
    outage(noCertificate, { from: 2 * MINUTE, to: 6 * MINUTE }),
    quiet('Both work again', { from: 6 * MINUTE, to: 13 * MINUTE }),
  ],
};
