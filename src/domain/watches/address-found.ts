/** The subscribers of an email address when it was looked up for a watch. */
export interface AddressFound {
  readonly email: string;
  readonly subscriberIds: readonly string[];
}
