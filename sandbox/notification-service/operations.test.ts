import { describe, expect, test } from 'vitest';
import { operationNames } from './faults.ts';
import { findOperation, operations } from './operations.ts';

describe('the operations', () => {
  test("are the contract's seven", () => {
    expect(operations.map(({ method, path }) => `${method} ${path}`)).toEqual([
      'PATCH /v1/subscribers/:subscriberId/credentials',
      'GET /v2/topics/:topicKey/subscriptions',
      'GET /v1/integrations',
      'GET /v1/messages',
      'GET /v1/notifications',
      'POST /v1/events/trigger/bulk',
      'GET /v1/notifications/:notificationId',
    ]);
    expect(operations.map(({ name }) => name)).toEqual(operationNames);
  });

  test("are found by method and path, with the path's parameters", () => {
    expect(findOperation('GET', '/v2/topics/a%2Fb%20c/subscriptions')).toMatchObject({
      operation: { name: 'listTopicSubscriptions' },
      path: ['a/b c'],
    });
    expect(findOperation('GET', '/v1/notifications/%E0%A4%A')?.path).toEqual(['%E0%A4%A']);
    expect(findOperation('DELETE', '/v1/notifications')).toBeUndefined();
    expect(findOperation('GET', '/v1/notifications/a/b')).toBeUndefined();
  });
});
