export interface AddressFound {
  readonly email: string;
  readonly subscriberIds: readonly string[];
}
