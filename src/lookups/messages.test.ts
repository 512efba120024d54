import { expect, test } from 'vitest';
import { recordWorkflows } from '../changes/workflows.ts';
import { ServiceError } from '../lib/errors.ts';
import { aService } from '../service/client.testing.ts';
import { anEvent, at } from '../service/event.testing.ts';
import { aMessage } from '../service/lists.testing.ts';
import { describeStore } from '../store/store.testing.ts';
import { listMessages } from './messages.ts';

describeStore('messages that name no workflow', (store) => {
  test('are named by its ID as checked events name it, else by their event, and deleted only if that has none', async () => {
    const { db } = store();
    const stored = { id: 'w-stored', identifier: 'app-push', name: 'App push', variables: [] };
    await recordWorkflows(db, 'production', [{ workflow: stored, createdAt: at(0) }], at(0));
    const message = (eventId: string, workflowId: string | null) => aMessage({ eventId, workflowId, workflow: null });
    const asked: string[] = [];
    const retrieveEvent = async (id: string) => {
      asked.push(id);
      if (id === 'unread') throw new ServiceError('production', 'retrieveEvent', { kind: 'timed-out' });
      return anEvent({ id, ...(id === 'orphan' && { workflow: null }) });
    };
    const items = [
      aMessage({ workflow: 'order-shipped' }),
      ...[message('e', 'w-stored'), message('fresh', 'w-fresh'), message('fresh-2', 'w-fresh')],
      ...[message('orphan', 'w-gone'), message('unread', 'w-unread'), message('', null)],
    ];
    const page = { items, unreadable: [], hasMore: false, totalCount: 7 };
    const service = aService({ listMessages: async () => page, retrieveEvent });
    const found = await listMessages(db, 'production', service, {});
    const fresh = anEvent().workflow?.identifier;
    expect(found?.items.map(({ workflow }) => workflow)).toEqual([
      ...['order-shipped', 'app-push', fresh, fresh],
      ...['deleted workflow', null, null],
    ]);
    expect(asked).toHaveLength(3);
  });
});
