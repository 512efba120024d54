import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bounced, delayedForHours, delivered } from '../examples.ts';
import { type QuietService, startQuietService } from '../quiet.testing.ts';

let service: QuietService;
beforeAll(async () => {
  service = await startQuietService();
});
afterAll(() => service.close());

const retrieve = (id: string) => service.get(`/v1/notifications/${id}`);

describe('one event', () => {
  test('is retrieved in an envelope with its current state', async () => {
    const { _id } = service.world.plantEvent(delivered());
    service.world.updateJob(_id, 0, { status: 'failed' });
    const { status, body } = await retrieve(_id);
    expect(status).toBe(200);
    expect(body).toEqual({ data: service.world.event(_id) });
  });

  test('gets late details: a bounce after its completion, a failure after hours of delay', async () => {
    const sent = service.world.plantEvent(bounced());
    service.world.addLateDetail(sent._id, 0, { detail: 'Message bounced', status: 'Failed', source: 'Webhook' });
    expect((await retrieve(sent._id)).body.data).toMatchObject({
      jobs: [
        {
          status: 'completed',
          executionDetails: expect.arrayContaining([expect.objectContaining({ source: 'Webhook' })]),
        },
      ],
    });
    const delayed = service.world.plantEvent(delayedForHours());
    service.world.updateJob(delayed._id, 1, { status: 'failed' });
    expect((await retrieve(delayed._id)).body.data).toMatchObject({
      jobs: [{ status: 'delayed' }, { status: 'failed' }],
    });
  });

  test('is answered with 404 if no event has the ID', async () => {
    const { status, body } = await retrieve('65f0c0ffee65f0c0ffee65f0');
    expect(status).toBe(404);
    expect(body.message).toBe('Notification with id 65f0c0ffee65f0c0ffee65f0 not found');
  });

  test('is answered with 422 if the ID is malformed', async () => {
    const { status, body } = await retrieve('order-1');
    expect(status).toBe(422);
    expect(body.errors).toEqual({
      notificationId: { messages: ['notificationId must be a mongodb id'], value: 'order-1' },
    });
  });
});
