import { outageIn, quiet } from '../fault-windows.ts';
import { suspendedSubaccount } from '../outages.ts';
import { MINUTE, type Scenario } from '../scenario.ts';

export const oneTenant: Scenario = {
  name: 'one-tenant',
  title: 'One tenant is hit',
  description: 'For six minutes SendGrid refuses what is sent for the tenant acme, a quarter of all emails.',
  lookFor:
    'From ten failed events on, the row of the incident says that all of them are of tenant:acme, and what share of all events that usually is. View affected counts them by tenant.',
  lastsMs: 8 * MINUTE,
  alone: false,
  plan: () => [
    outageIn('tenant:acme', suspendedSubaccount, { from: 0, to: 6 * MINUTE }),
    quiet('It is sent again', { from: 6 * MINUTE, to: 8 * MINUTE }),
  ],
};
