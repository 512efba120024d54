import { expect, test } from 'vitest';
import { delivered, failed } from '../../sandbox/service/examples.ts';
import { ONCALL } from '../support/person.ts';
import { openWorld, sharedWorld } from '../support/world.ts';

const world = sharedWorld(() => openWorld());

test('counts attempts, failures and latency by provider, channel or workflow, the worst first', async () => {
  const { ann, service, polls } = world;
  for (let n = 0; n < 6; n++) service.world.plantEvent(delivered({ subscriber: `fine-${n}` }));
  for (let n = 0; n < 4; n++) service.world.plantEvent(failed('sms', { subscriber: `unlucky-${n}` }));
  await polls();
  const providers = await ann.asks('/notif stats', ONCALL);
  expect(providers.words).toMatch(/^production in the last day: 4 of \d+ attempts failed \(\d+%\), 10 events/);
  expect(providers.words).toMatch(/^🔴 SMS · Twilio \| 4 \| 4 \|/m);
  expect(providers.words).toMatch(/^✅ Email · SendGrid \| 0 \| \d+ \| median .+, p95 .+ \| .+ an hour/m);
  expect(providers.words).toContain('Notif has checked events since');
  const rows = providers.words.split('\n').filter((line) => /^(🔴|✅)/u.test(line));
  expect(rows[0]).toContain('Twilio');
  expect((await ann.asks('/notif stats by:channel', ONCALL)).words).toMatch(/^🔴 SMS \| 4 \| 4 \|/m);
  const filtered = await ann.asks('/notif stats by:workflow channel:sms', ONCALL);
  expect(filtered.words).toMatch(/^🔴 order-shipped \| 4 \| 4 \|/m);
  expect((await ann.asks('/notif stats by:colour', ONCALL)).words).toContain('provider, channel, workflow');
});
