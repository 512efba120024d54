/** The subscribers of an email address when it was looked up for a watch. */
export interface AddressFound {
  readonly email: string;
  readonly subscriberIds: readonly string[];
}

/** How many events of an email address are looked at, the newest first: one page of the list. */
export const EVENTS_LOOKED_AT = 50;
