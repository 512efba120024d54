interface Welcome {
  readonly pageUrl: string;
  readonly environments: readonly { readonly name: string; readonly url: string }[];
  /** An event to look up, or null when none has failed yet. */
  readonly failedEventId: string | null;
  readonly logFile: string;
}

/** What a person reads once everything runs: where to look, what to type, whom to act as. */
export function welcome({ pageUrl, environments, failedEventId, logFile }: Welcome): string {
  const services = environments.map(({ name, url }) => `${name} ${url}`).join(', ');
  return `
The sandbox runs. Open ${pageUrl}

In #oncall, try:
  /notif help
  /notif failures
  /notif event ${failedEventId ?? '<event id>'}
  /notif trigger order-shipped
You act as ann, an operator. As ben (“Act as”), who is none, changes are refused.
#oncall has been told what failed in the last hour. In half a minute SendGrid begins to refuse every e-mail: watch a new digest arrive
by itself and count on. Other providers fail and recover now and then.

Notification Services: ${services} (key: sandbox-key)
The bot's log: ${logFile}
Ctrl-C stops everything.
`;
}
