import { describe, expect, test } from 'vitest';
import { maskedAnswer } from './raw-event.ts';

describe("an event's raw response", () => {
  test("is shown as it came: names, order, fields that Notif doesn't use", async () => {
    const answer = {
      _id: '65f000000000000000000001',
      transactionId: 'txn_9fK2mQ7xLp4Rt8Vw1Zc6Yb3N',
      createdAt: '2026-03-04T12:00:00.000Z',
      template: {
        name: 'Order shipped',
        origin: 'svc-cloud',
        triggers: [{ type: 'event', identifier: 'order-shipped' }],
      },
      jobs: [
        {
          _id: '65f000000000000000000002',
          payload: { plan: 'pro' },
          step: {
            _id: '65f000000000000000000003',
            controlVariables: { subject: 'Hello' },
            filters: [],
            _parentId: null,
          },
          executionDetails: [],
        },
      ],
      controls: { steps: { email: { body: 'Hi' } } },
      isNew: true,
    };
    expect(JSON.stringify(await maskedAnswer(answer))).toBe(JSON.stringify(answer));
  });

  test('has initials for names, and no contact, picture or credential of a subscriber', async () => {
    const subscriber = {
      subscriberId: 'user-1',
      firstName: 'Ada',
      lastName: 'Lovelace',
      email: 'ada@example.com',
      phone: '+491701234567',
      avatar: 'https://example.com/ada.png',
      data: { note: 'for eve@example.com' },
      channels: [{ providerId: 'slack', credentials: { webhookUrl: 'https://hooks.example/abc', channel: 'c' } }],
    };
    const shown = {
      subscriberId: 'user-1',
      firstName: 'A.',
      lastName: 'L.',
      email: 'a•••@example.com',
      phone: '•••67',
      avatar: '•••',
      data: { note: 'for e•••@example.com' },
      channels: [{ providerId: 'slack', credentials: '•••' }],
    };
    expect(await maskedAnswer({ subscriber, to: subscriber })).toEqual({ subscriber: shown, to: shown });
  });

  test('masks payloads, overrides, controls and unknown fields', async () => {
    const leak = { note: 'for anna@example.com', apiKey: 'abc' };
    const shown = { note: 'for a•••@example.com', apiKey: '•••' };
    expect(
      await maskedAnswer({
        payload: leak,
        controls: leak,
        odd: leak,
        password: 'x',
        jobs: [{ overrides: leak, payload: leak }],
      }),
    ).toEqual({
      payload: shown,
      controls: shown,
      odd: shown,
      password: '•••',
      jobs: [{ overrides: shown, payload: shown }],
    });
  });

  test('masks what is not of the type that a field has', async () => {
    const leak = { note: 'for anna@example.com' };
    const shown = { note: 'for a•••@example.com' };
    expect(
      await maskedAnswer({
        tags: [leak, 'anna@example.com'],
        to: { firstName: leak, channels: [leak, 'anna@example.com'] },
        jobs: [{ executionDetails: [{ raw: leak }] }],
      }),
    ).toEqual({
      tags: [shown, 'a•••@example.com'],
      to: { firstName: shown, channels: [shown, 'a•••@example.com'] },
      jobs: [{ executionDetails: [{ raw: shown }] }],
    });
  });

  test('shows each provider’s response whole', async () => {
    const detail = { raw: 'The mailbox of anna@example.com is full. '.repeat(100) };
    const json = JSON.stringify(await maskedAnswer({ jobs: [{ executionDetails: [detail, detail, detail] }] }));
    expect(json.split('The mailbox of a•••@example.com is full.')).toHaveLength(3 * 100 + 1);
  });
});
