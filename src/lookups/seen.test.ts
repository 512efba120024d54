import { describe, expect, test } from 'vitest';
import { anEnvironment } from '../domain/environment.testing.ts';
import { ServiceError } from '../domain/errors.ts';
import { judge } from '../domain/failures/judge.ts';
import { anEvent, aWorkflow, NOON } from '../domain/service/event.testing.ts';
import { aMessage } from '../domain/service/message.testing.ts';
import type { Audience } from '../domain/text/audience.ts';
import { Payload } from '../domain/text/payload.ts';
import type { FoundEvent } from './event.ts';
import { seenEvent, seenMessage } from './seen.ts';

const CONTACT = 'anna@example.com';
const MASKED = 'a•••@example.com';
const OTHERS: readonly Audience[] = ['everyone', 'operators'];

const message = aMessage({
  transactionId: CONTACT,
  subscriberId: CONTACT,
  workflow: CONTACT,
  contextKeys: [`user:${CONTACT}`],
});
const event = anEvent({
  transactionId: CONTACT,
  subscriber: { subscriberId: CONTACT, initials: 'A. L.', maskedEmail: MASKED, maskedPhone: '•••67' },
  workflow: aWorkflow({ id: '64w', identifier: CONTACT, name: CONTACT, variables: ['orderId'] }),
  payload: new Payload({ order: 'A-17' }),
  topicKeys: [CONTACT],
  contextKeys: [`user:${CONTACT}`],
  tags: [CONTACT],
});

describe('a message', () => {
  test('is shown in full to the person who asked', () => {
    expect(seenMessage(message, 'requester')).toEqual(message);
  });

  test.each(OTHERS)('is shown to %s without its subject, with masked contacts', (audience) => {
    expect(seenMessage(message, audience)).toEqual({
      ...message,
      transactionId: MASKED,
      subscriberId: MASKED,
      workflow: MASKED,
      contextKeys: [`user:${MASKED}`],
      subject: null,
    });
  });

  test('lacks for everyone only what the service left out', () => {
    const bare = aMessage({ subscriberId: null, workflow: null });
    expect(seenMessage(bare, 'everyone')).toMatchObject({ ...bare, subject: null });
  });
});

describe('an event', () => {
  const found = (change: Partial<FoundEvent> = {}): FoundEvent => ({
    found: 'event',
    environment: anEnvironment(),
    event,
    judgement: judge(event, NOON),
    causes: new Map(),
    messages: { read: true, items: [message], hasMore: true },
    merged: { read: true, items: [{ event, judgement: judge(event, NOON) }], hasMore: false },
    ...change,
  });
  const hidden = {
    ...event,
    transactionId: MASKED,
    subscriber: { subscriberId: MASKED, initials: 'A. L.', maskedEmail: MASKED, maskedPhone: '•••67' },
    workflow: aWorkflow({ id: '64w', identifier: MASKED, name: MASKED, variables: ['orderId'] }),
    topicKeys: [MASKED],
    contextKeys: [`user:${MASKED}`],
    tags: [MASKED],
  };
  const payloadOf = (one: { readonly payload: Payload }) => one.payload.forTrigger();

  test('is shown in full to the person who asked', () => {
    const seen = seenEvent(found(), 'requester');
    expect(seen).toEqual(found());
    expect(payloadOf(seen.event)).toEqual({ order: 'A-17' });
  });

  test.each(OTHERS)(
    'is shown to %s without its payload and with masked contacts, and so is what belongs to it',
    (who) => {
      const seen = seenEvent(found(), who);
      expect(seen).toMatchObject({ found: 'event', environment: anEnvironment(), judgement: found().judgement });
      expect({ ...seen.event, payload: null }).toEqual({ ...hidden, payload: null });
      expect(payloadOf(seen.event)).toEqual({});
      expect(seen.messages).toEqual({ read: true, items: [seenMessage(message, who)], hasMore: true });
      const merged = seen.merged?.read ? seen.merged : null;
      expect(merged?.hasMore).toBe(false);
      expect(merged?.items.map((one) => ({ ...one.event, payload: null }))).toEqual([{ ...hidden, payload: null }]);
      expect(merged?.items.map((one) => payloadOf(one.event))).toEqual([{}]);
      expect(merged?.items[0]?.judgement).toEqual(judge(event, NOON));
    },
  );

  test('is shown although the service left a part out, or what belongs to it could not be read', () => {
    const error = new ServiceError('production', 'listMessages', { kind: 'unreachable' });
    const unread = { read: false, error } as const;
    const bare = anEvent({ subscriber: null, workflow: null });
    const seen = seenEvent(found({ event: bare, messages: unread, merged: unread }), 'everyone');
    expect(seen).toMatchObject({ event: { subscriber: null, workflow: null }, messages: unread, merged: unread });
    expect(seenEvent(found({ merged: null }), 'everyone').merged).toBeNull();
  });
});
