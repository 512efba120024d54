import { describe, expect, test } from 'vitest';
import type { EventPlan } from '../../sandbox/service/event-plan.ts';
import { delivered, failed } from '../../sandbox/service/examples.ts';
import type { LocalService } from '../../sandbox/service/server.ts';
import { ONCALL, type Person } from '../support/person.ts';
import { inWorldAsleep, MINUTE } from '../support/world.ts';

const people = (count: number) => Array.from({ length: count }, (_, index) => `user-${index + 1}`);

/** Plants failures, half of each workflow, before Notif starts, so that its first poll finds all. Nobody may see their secret. */
function breaks({ world }: LocalService, whom: readonly string[]): void {
  for (const [index, subscriber] of whom.entries()) {
    world.subscriber(subscriber).email = `${subscriber}@customer.example`;
    const workflow = index % 2 === 0 ? 'order-shipped' : 'password-reset';
    world.plantEvent(
      failed('email', { subscriber, workflow, payload: { orderId: `A-${index}`, token: 'tok_secret' } }),
    );
  }
}

/** How many notifications each subscriber got again, by the service's own count. */
function sentAgain({ world }: LocalService): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { event } of world.events.all) {
    const whose = event.subscriber?.subscriberId ?? 'nobody';
    if (event.transactionId.startsWith('resend-')) counts.set(whose, (counts.get(whose) ?? 0) + 1);
  }
  return counts;
}

async function previews(ann: Person, words: string, answers: Record<string, string | readonly string[]> = {}) {
  await ann.types('/notif resend #1', ONCALL);
  await ann.seesModal('Nothing is sent yet');
  if (Object.keys(answers).length > 0) await ann.fillsIn(answers);
  expect(await ann.submits()).toEqual([]);
  return ann.seesModal(words);
}

/** Sends what is previewed. If the incident hasn't recovered by then, that must be confirmed. */
async function sends(ann: Person): Promise<void> {
  if (ann.modal()?.words.includes('Send anyway')) await ann.fillsIn({ 'still failing': ['Send anyway'] });
  expect(await ann.submits()).toEqual([]);
  await ann.seesModal("Follow it in the incident's thread");
}

describe('what an incident broke', () => {
  test(
    'is sent again, each once, through a 429, a 500, a lost answer and a restart, and counted in the incident’s thread',
    inWorldAsleep({}, async (world) => {
      const { ann, ben, service, log } = world;
      breaks(service, people(52));
      service.world.plantEvent(delivered({ subscriber: 'user-1', workflow: 'order-shipped' }));
      await world.start();
      await ann.sees('52 people', ONCALL);
      world.passes(6 * MINUTE);
      await world.polls();
      await ann.sees('⚪', ONCALL);
      service.faults.set('triggerEvents', { kind: 'status', status: 429 }, { times: 1 });
      service.faults.set('triggerEvents', { kind: 'status', status: 500 }, { times: 1 });
      service.faults.set('triggerEvents', { kind: 'lost answer' }, { times: 1 });
      log.expects(/A batch may not have been sent again/);
      const newest = { Which: ['Only the newest of each'] };
      const preview = await previews(ann, '51 notifications to 51 people in production', newest);
      expect(preview.words).toContain('1 followed by a newer one to the same person');
      await sends(ann);
      expect(ann.modal()?.words).toContain('Left out:\n• 1 followed by a newer one');
      await world.fastForward(expect.poll(() => service.requests.count('triggerEvents')).toBeGreaterThan(2));
      await world.stop();
      await world.start();
      const whole = '✅ Sent again what #1 broke in production · 51 of 51 got it';
      const outcome = await world.fastForward(ann.sees(whole, ONCALL));
      await ann.sees(whole, ann.directMessages);
      for (const { words } of [preview, outcome]) expect(words).not.toMatch(/tok_|A-\d|customer\.example/);
      const counts = sentAgain(service);
      expect(counts.size).toBe(51);
      expect([...new Set(counts.values())]).toEqual([1]);
      await ann.types('/notif audit', ONCALL);
      await ann.gets('sent again 51 notifications of #1', ONCALL);
      const again = await previews(ann, 'Nothing can be sent again', newest);
      expect(again.words).toMatch(/51 already sent again, and delivered[\s\S]*Nothing is sent yet/);
      await ben.types('/notif resend #1', ONCALL);
      await ben.gets('Only operators can do this.', ONCALL);
    }),
  );

  test(
    'isn’t sent again where the service kept no payload, nor, unless that is chosen, where another channel delivered it',
    inWorldAsleep({}, async ({ ann, service, start, fastForward }) => {
      breaks(service, people(3));
      const plant = (plan: EventPlan) => service.world.plantEvent(plan);
      const [inApp] = delivered().jobs ?? [];
      plant(failed('email', { subscriber: 'user-4', jobs: [...(inApp ? [inApp] : []), ...(failed().jobs ?? [])] }));
      plant({ ...failed('email', { subscriber: 'user-5' }), disguise: (event) => ({ ...event, payload: undefined }) });
      await start();
      await ann.sees('5 people', ONCALL);
      const preview = await previews(ann, '3 notifications to 3 people');
      expect(preview.words).toContain('1 delivered by another channel already');
      expect(preview.words).toContain('1 without a payload: the service keeps none');
      expect(preview.words).toContain('#1 is still failing: these may fail again');
      await ann.closesAll();
      const both = await previews(ann, '4 notifications to 4 people', {
        Which: ['Also those that another channel delivered'],
      });
      expect(both.words).toContain('⚠️ Delivered twice: in-app (1)');
      await sends(ann);
      await fastForward(ann.sees('4 of 4 got it', ONCALL));
    }),
  );

  test(
    'is sent again as it was previewed, though more broke since, once the name of a protected environment is typed',
    inWorldAsleep({ variables: { NOTIF_PRODUCTION_PROTECTED: 'true' } }, async (world) => {
      const { ann, service, passes, start, polls, fastForward } = world;
      breaks(service, people(3));
      await start();
      await ann.sees('3 people', ONCALL);
      await previews(ann, '3 notifications to 3 people');
      await ann.fillsIn({ 'still failing': 'staging' });
      expect(await ann.submits()).toEqual(['Type production to confirm.']);
      service.world.plantEvent(failed('email', { subscriber: 'user-4' }));
      passes(MINUTE);
      await polls();
      await ann.sees('4 people', ONCALL);
      await ann.fillsIn({ 'still failing': 'production' });
      await sends(ann);
      await fastForward(ann.sees('3 of 3 got it', ONCALL));
    }),
  );

  test(
    'is sent again only where it is named by its IDs, or picked',
    inWorldAsleep({}, async ({ ann, service, start, fastForward }) => {
      breaks(service, people(4));
      await start();
      await ann.sees('4 people', ONCALL);
      const [first, second] = service.world.events.all.map(({ event }) => event);
      // A mention in the incident's thread that names the IDs alone is read as this.
      await ann.types(`/notif resend #1 ${first?._id} ${second?.transactionId}`, ONCALL);
      await ann.seesModal('Nothing is sent yet');
      expect(await ann.submits()).toEqual([]);
      const preview = await ann.seesModal('2 notifications to 2 people');
      expect(preview.words).toContain('2 not picked');
      await sends(ann);
      await fastForward(ann.sees('2 of 2 got it', ONCALL));
      expect([...sentAgain(service).keys()].toSorted()).toEqual(['user-1', 'user-2']);
      expect((await ann.asks('/notif resend txn_unknown1', ONCALL)).words).toContain(
        'No failure of txn_unknown1 is kept',
      );
      await previews(ann, '1 notification to 1 person', { 'Only these': ['user-3'] });
      await ann.closesAll();
    }),
  );

  test(
    'is previewed with what else fails there and what will be late, and with a way back to the choices',
    inWorldAsleep({}, async ({ ann, service, start, fastForward }) => {
      const [email] = failed('email').jobs ?? [];
      const [sms] = failed('sms').jobs ?? [];
      if (email === undefined || sms === undefined) throw new Error('a failed event has a step');
      const delay = {
        type: 'delay',
        status: 'completed',
        digest: { type: 'regular', amount: 3, unit: 'hours' },
      } as const;
      for (const [index, subscriber] of people(4).entries())
        service.world.plantEvent({ subscriber, payload: { visit: index }, jobs: [email, delay, sms] });
      service.world.plantEvent({ subscriber: 'user-1', jobs: [email, { type: 'push', status: 'queued' }] });
      await start();
      await ann.sees('4 people', ONCALL);
      const preview = await previews(ann, '1 notification to 1 person', { most: '1' });
      expect(preview.words).toContain('1 not settled: a step is in progress or stuck');
      expect(preview.words).toContain('3 beyond the limit');
      expect(preview.words).toMatch(/⚠️ Also open: SMS via Twilio.*#2/);
      expect(preview.words).toContain('A delay or digest step comes first. Arriving: 1 in about 3 h');
      expect(preview.words).toContain('#1, #2 are still failing');
      await ann.opens('Back', preview, 'Nothing is sent yet');
      expect(await ann.submits()).toEqual([]);
      await ann.seesModal('1 notification to 1 person');
      await sends(ann);
      await fastForward(ann.sees('1 of 1 got it', ONCALL));
    }),
  );

  test(
    'is sent again in smaller batches where the service refuses one as too large',
    inWorldAsleep({}, async ({ ann, service, log, start, fastForward }) => {
      breaks(service, people(8));
      service.behave({ largestTriggerBytes: 1_000 });
      log.expects(/A batch may not have been sent again/);
      await start();
      await ann.sees('8 people', ONCALL);
      await previews(ann, '8 notifications');
      await sends(ann);
      await fastForward(ann.sees('8 of 8 got it', ONCALL));
      expect([...sentAgain(service).values()]).toEqual(Array(8).fill(1));
      expect(service.requests.count('triggerEvents')).toBeLessThan(8);
    }),
  );

  test(
    'is not sent on once somebody has stopped it, and can be sent later',
    inWorldAsleep({}, async ({ ann, service, log, start, fastForward }) => {
      breaks(service, people(3));
      await start();
      await ann.sees('3 people', ONCALL);
      service.faults.set('triggerEvents', { kind: 'status', status: 429 });
      log.expects(/A batch may not have been sent again/);
      await previews(ann, '3 notifications');
      await sends(ann);
      await ann.clicks('Stop', await ann.sees('Stop', ONCALL));
      await ann.gets('🛑 Stopped', ONCALL);
      await fastForward(ann.sees('Stopped by ⟨user U0ANN⟩', ONCALL));
      await fastForward(ann.sees('🛑 Stopped sending again', ONCALL));
      service.faults.clear();
      await previews(ann, '3 notifications');
      await sends(ann);
      await fastForward(ann.sees('3 of 3 got it', ONCALL));
      expect([...sentAgain(service).values()]).toEqual([1, 1, 1]);
    }),
  );
});
