import { describe, expect, test } from 'vitest';
import { at } from '../service/event.testing.ts';
import { anIntegration } from '../service/integration.testing.ts';
import { isFailing, type ProviderNow, providerOf } from './provider-now.ts';

const failing = (channel: string, provider: string | null): ProviderNow => ({
  channel,
  provider,
  window: { from: at(-300), to: at(0) },
  failures: 3,
  attempts: 10,
  incidents: [],
});

describe('the recent failures of an integration', () => {
  const sendgrid = failing('email', 'SendGrid');
  const all = [failing('email', null), failing('email', 'mailgun'), failing('push', 'sendgrid'), sendgrid];

  test('are those of its channel and provider', () => {
    expect(providerOf(anIntegration(), all)).toBe(sendgrid);
    expect(providerOf(anIntegration(), all.slice(0, 3))).toBeNull();
    expect(providerOf(anIntegration(), [])).toBeNull();
  });

  test('are not shown if it is inactive or deleted', () => {
    expect(providerOf(anIntegration({ active: false }), all)).toBeNull();
    expect(providerOf(anIntegration({ deleted: true }), all)).toBeNull();
  });
});

test('a provider is failing once one in ten attempts fails', () => {
  expect(isFailing({ failures: 1, attempts: 10 })).toBe(true);
  expect(isFailing({ failures: 1, attempts: 11 })).toBe(false);
  expect(isFailing({ failures: 5, attempts: 5 })).toBe(true);
});
