import { describe, expect, test } from 'vitest';
import type { Changed } from '../changes/change.ts';
import { aDeploy, anIntegrationChange, aWorkflowChange } from '../changes/changes.testing.ts';
import { EVERYTHING, type WatchFilter } from '../watches/settings.ts';
import { wantsChange } from './changes.ts';

const shows = (what: Changed, filter: Partial<WatchFilter> = {}) => wantsChange({ ...EVERYTHING, ...filter }, what);

describe('a watch with changes:on', () => {
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
