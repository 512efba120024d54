export type MessageKind = 'digest' | 'silence' | 'changes' | 'summary' | 'watch-ended' | 'thread' | 'told' | 'sending';

/** A single waits for the next message. */
export const ALERT_REASONS = [
  ...(['new', 'relapsed', 'critical', 'grown', 'escalated', 'flared'] as const),
  ...(['missed', 'goes-on', 'single', 'told'] as const),
] as const;
export type AlertReason = (typeof ALERT_REASONS)[number];
