import { expect, test } from 'vitest';
import { recordWorkflows } from '../changes/workflows.ts';
import { aService } from '../service/client.testing.ts';
import { at } from '../service/event.testing.ts';
import { aMessage } from '../service/lists.testing.ts';
import { failureOf, recordFailures } from '../store/examples.testing.ts';
import { describeStore } from '../store/store.testing.ts';
import { listMessages } from './messages.ts';

describeStore('a message that bounced after it was sent', (store) => {
  test('is listed with that', async () => {
    await recordFailures(store(), at(0), [failureOf('Mailbox full', { eventKey: 'e1', verdict: 'bounced' })]);
    const items = [aMessage({ eventId: 'e1', channel: 'email' }), aMessage({ eventId: 'e2', channel: 'email' })];
    const page = { items, unreadable: [], hasMore: false, totalCount: 2 };
    const service = aService({ listMessages: async () => page });
    const found = await listMessages(store().db, 'production', service, {});
    expect(found?.items.map(({ aftermath }) => aftermath)).toEqual([
      { verdict: 'bounced', cause: "recipient's mailbox is full" },
      undefined,
    ]);
  });
});

describeStore('messages that name no workflow', (store) => {
  test('are named by its ID as checked events name it, else by that', async () => {
    const { db } = store();
    const stored = { id: 'w-stored', identifier: 'app-push', name: 'App push', variables: [] };
    await recordWorkflows(
      db,
      'production',
      [{ workflow: stored, createdAt: at(0), critical: false, isDeleted: false }],
      at(0),
    );
    const unnamed = ['w-stored', 'w-fresh', null].map((workflowId) => aMessage({ workflowId, workflow: null }));
    const items = [aMessage({ workflow: 'order-shipped' }), ...unnamed];
    const page = { items, unreadable: [], hasMore: false, totalCount: 4 };
    const found = await listMessages(db, 'production', aService({ listMessages: async () => page }), {});
    expect(found?.items.map(({ workflow }) => workflow)).toEqual(['order-shipped', 'app-push', 'w-fresh', null]);
  });
});
