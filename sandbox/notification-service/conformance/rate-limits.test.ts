import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type QuietService, startQuietService } from '../testing.ts';

let service: QuietService;
beforeAll(async () => {
  service = await startQuietService({ rateLimits: true });
});
afterAll(() => service.close());
beforeEach(() => service.advance(5000));

const read = () => service.get('/v1/integrations');
const trigger = () => service.post('/v1/events/trigger/bulk', { events: [{ name: 'nonexistent', to: ['user-1'] }] });

describe('the rate limits', () => {
  test('are stated in the headers of each answer', async () => {
    const { headers } = await service.get('/v1/notifications?limit=1');
    expect(Object.fromEntries(headers)).toMatchObject({
      'ratelimit-limit': '150',
      'ratelimit-remaining': '149',
      'ratelimit-reset': '5',
      'ratelimit-policy':
        '150;w=5;burst=165;comment="token bucket";category="global";cost="single";serviceLevel="free"',
    });
    expect(headers.get('retry-after')).toBeNull();
  });

  test('refuse requests with 429 and a retry time until the window is over', async () => {
    const reads = await Promise.all(Array.from({ length: 75 }, read));
    expect(new Set(reads.map(({ status }) => status))).toEqual(new Set([200]));
    service.advance(1000);
    const refused = await read();
    expect(refused).toMatchObject({ status: 429, body: { statusCode: 429, message: 'API rate limit exceeded' } });
    expect(refused.headers.get('retry-after')).toBe('4');
    expect(refused.headers.get('ratelimit-remaining')).toBe('0');
    service.advance(4000);
    expect((await read()).status).toBe(200);
  });

  test('allow three bulk triggers of 100 tokens each, counted separately from reads', async () => {
    const statuses = [await trigger(), await trigger(), await trigger(), await trigger()].map(({ status }) => status);
    expect(statuses).toEqual([201, 201, 201, 429]);
    expect((await service.get('/v1/messages')).headers.get('ratelimit-remaining')).toBe('149');
  });
});
