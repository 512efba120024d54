/** Who sees something: the person who asked, the operators (for whom the audit trail and its channel are), or everyone in a channel. */
export type Audience = 'requester' | 'operators' | 'everyone';

/** The widest audience. Nobody sees 'masked' data in full. For people it's in `docs/guarantees.md`, "Who sees what". */
export const SHOWN_TO = {
  /** Device tokens, webhook addresses, API keys. */
  credential: 'masked',
  /** Email addresses, phone numbers and names of subscribers. */
  contact: 'masked',
  /** An ID of a subscriber, transaction, topic or context, a tag or a workflow, if it is an address or a number: others see it masked. */
  'id that is a contact': 'requester',
  subject: 'requester',
  payload: 'requester',
  'raw answer': 'requester',
  'who changed what': 'operators',
  /** A note about an incident, without secrets and contacts. */
  note: 'everyone',
  id: 'everyone',
  /** Why something failed, in the words of the service or the provider, without secrets and contacts. */
  cause: 'everyone',
  /** Channel, provider, status, verdict, severity, times and counts. */
  fact: 'everyone',
} as const satisfies Readonly<Record<string, Audience | 'masked'>>;

export type Content = keyof typeof SHOWN_TO;

const WIDTH: Readonly<Record<Audience | 'masked', number>> = { masked: 0, requester: 1, operators: 2, everyone: 3 };

export function isShownTo(audience: Audience, content: Content): boolean {
  return WIDTH[audience] <= WIDTH[SHOWN_TO[content]];
}

export function forAudience<Value>(audience: Audience, content: Content, value: Value): Value | null {
  return isShownTo(audience, content) ? value : null;
}
