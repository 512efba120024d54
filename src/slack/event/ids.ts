/** The event card's buttons; all but `DASHBOARD` carry a `LookupRequest` as `blocks/lookup-button.ts` writes it. */
export const SHARE = 'event.share';
export const REFRESH = 'event.refresh';
export const SEND_AGAIN = 'event.send-again';
export const RAW = 'event.raw';
export const DASHBOARD = 'event.dashboard';
