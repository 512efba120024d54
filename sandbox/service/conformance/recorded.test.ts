import { describe, expect, test } from 'vitest';
import type { Job, Json } from '../entities.ts';
import { wording } from '../provider-failures.ts';
import { quietEachTest } from '../quiet.testing.ts';
// A real server of this API answered this: its steps' details with the fields of their `raw`, and its answers to odd requests.
import recorded from './recorded.json' with { type: 'json' };

const service = quietEachTest();

interface Situation {
  /** The providers that refuse everything. */
  down?: readonly string[];
  /** The provider whose integration the trigger names, or an integration that doesn't exist. */
  named?: string;
  /** The providers for which the recipient has credentials. */
  reached?: readonly string[];
  to?: string;
  payload?: Json;
  /** The first of the event's steps that is compared. */
  from?: number;
  /** Whether the workflow is triggered twice. The second event is compared. */
  again?: boolean;
}

function shapeOf(raw: string): unknown {
  if (!/^[[{]/.test(raw)) return 'text';
  const value: object = JSON.parse(raw);
  return Array.isArray(value) ? 'list' : Object.keys(value).sort();
}

function comparable({ type, status, executionDetails }: Job) {
  const details = executionDetails.map(({ status: kind, detail, raw }) => {
    const words = detail.replace(/^.* provider was selected$/, '… provider was selected');
    // This `raw` is the event's own payload, so its fields say nothing about the server.
    const isPayload = type === 'sms' && detail === wording.messageCreated;
    return [kind, words, ...(typeof raw === 'string' && !isPayload ? [shapeOf(raw)] : [])];
  });
  return { status, details };
}

async function play(workflow: string, situation: Situation) {
  const { down = [], named, to = 'user-3', payload = {}, reached = [], again } = situation;
  for (const provider of down) service.world.startOutage(provider);
  for (const providerId of reached) {
    const credentials = { deviceTokens: [`token-${providerId}`] };
    await service.patch(`/v1/subscribers/${to}/credentials`, { providerId, credentials });
  }
  const known = service.world.activeIntegrations('email').find(({ providerId }) => providerId === named);
  const overrides = named ? { email: { integrationIdentifier: known?.identifier ?? named } } : {};
  const event = { name: workflow, to: [to], payload, overrides };
  for (const transactionId of again ? ['first', 'last'] : ['last']) {
    await service.post('/v1/events/trigger/bulk', { events: [{ ...event, transactionId }] });
    service.advance(2000);
  }
  service.advance(4 * 3_600_000);
  return service.world.events.byTransaction('last')[0]?.event.jobs ?? [];
}

describe('a step shows what a real server shows', () => {
  const situations = new Map<string, Situation & { workflow: string }>(Object.entries(recorded.plays));
  test.each(Object.entries(recorded.steps))('%s', async (name, steps) => {
    const { workflow = 'none', from = 0, ...situation } = situations.get(name) ?? {};
    const jobs = await play(workflow, situation);
    expect(jobs.slice(from, from + steps.length).map(comparable)).toEqual(steps);
  });

  test("and names the environment's first provider of the channel, whichever is used", async () => {
    const [job] = await play('app-push', { reached: ['expo'], to: 'user-1' });
    expect(new Set(job?.executionDetails.map(({ providerId }) => providerId))).toEqual(new Set(['fcm']));
    expect(service.world.messages.byTransaction('last').map(({ message }) => message.providerId)).toEqual(['expo']);
  });
});

interface OddRequest {
  request: unknown[];
  status: number;
  body: object;
  authorization?: string | null;
}

test.each<[string, OddRequest]>(Object.entries(recorded.requests))(
  'an odd request is answered as by a real server: %s',
  async (_, odd) => {
    const { authorization = `ApiKey ${service.apiKey}` } = odd;
    const [method, path, body] = odd.request;
    const headers = authorization === null ? {} : { authorization };
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    const response = await fetch(`${service.url}${path}`, { method: String(method), headers, ...sent });
    const answer = (await response.text()).replace(/\([0-9a-f]{24}\)/, '(ENVIRONMENT)');
    expect(response.status).toBe(odd.status);
    expect(JSON.parse(answer)).toMatchObject(odd.body);
  },
);
