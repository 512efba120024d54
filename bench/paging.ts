import { startLocalService } from '../sandbox/notification-service/server.ts';
import { quietService } from './quiet-service.ts';
import type { BenchResult } from './result.ts';

const EVENTS = 1_234;
const PAGE_SIZE = 50;

/** Measures how many requests reading a list takes: one for every 50 events, give or take one. */
export async function measure(): Promise<BenchResult> {
  const service = await startLocalService();
  try {
    for (let event = 0; event < EVENTS; event++) service.world.plantEvent();
    const client = quietService(service.url, service.apiKey);
    let read = 0;
    for await (const page of client.eventPages({ before: new Date() }, { who: 'poller' })) read += page.items.length;
    if (read !== EVENTS) throw new Error(`Of ${EVENTS} events ${read} were read.`);
    const requests = service.requests.count('listEvents');
    const limit = Math.ceil(EVENTS / PAGE_SIZE) + 1;
    return {
      name: `paging, ${EVENTS} events`,
      figures: [{ label: 'read', value: requests, unit: 'requests', limit, against: 'one for every 50 events' }],
    };
  } finally {
    await service.close();
  }
}
