/** `sending`: not confirmed yet; `unclear`: never confirmed; `no-event`: accepted, but no event appeared. */
export const SENDING_STATES = [
  'waiting',
  'sending',
  'sent',
  'delivered',
  'skipped',
  'failed',
  'no-event',
  'refused',
  'left-out',
  'unclear',
] as const;
export type SendingState = (typeof SENDING_STATES)[number];

export const OPEN_STATES: readonly SendingState[] = ['waiting', 'sending', 'sent'];
export const CAN_BE_TRIED_AGAIN: readonly SendingState[] = ['refused', 'left-out', 'unclear'];
