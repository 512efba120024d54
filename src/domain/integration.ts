/** A provider's connection for a channel (contract, "Integration"), without its credentials, which are never read. */
export interface Integration {
  readonly id: string | null;
  readonly name: string;
  readonly identifier: string;
  readonly provider: string;
  readonly channel: string;
  readonly active: boolean;
  readonly primary: boolean;
  readonly deleted: boolean;
  readonly hasConditions: boolean;
  /** The service's own id of its environment: the list holds those of the whole organization. */
  readonly serviceEnvironmentId: string;
}
