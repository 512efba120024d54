/** An ID of 24 hex digits is an event's, though some callers use them for transactions. */
export interface NotificationId {
  kind: 'event' | 'transaction';
  id: string;
}

export type LookupTarget = NotificationId | { kind: 'subscriber' | 'email' | 'phone'; id: string };

export const EVENT_ID = /^[0-9a-f]{24}$/i;
export const TRANSACTION_ID = /^(?=.*\d)[A-Za-z0-9][\w.:-]{5,199}$/;

export function isNotificationId(target: LookupTarget): target is NotificationId {
  return target.kind === 'event' || target.kind === 'transaction';
}

export function notificationId(id: string): NotificationId {
  return { kind: EVENT_ID.test(id) ? 'event' : 'transaction', id };
}
