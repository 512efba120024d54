import { type Opening, PAGE_PORT } from './run-arguments.ts';

interface Welcome {
  readonly pageUrl: string;
  readonly environments: readonly { readonly name: string; readonly url: string }[];
  /** An event to look up, or null if none has failed. */
  readonly failedEventId: string | null;
  readonly logFile: string;
  readonly opening: Opening;
}

/** Returns the text for the terminal once everything runs: where to look, what to type, whom to act as. */
export function welcome({ pageUrl, environments, failedEventId, logFile, opening }: Welcome): string {
  const { port } = new URL(pageUrl);
  const atPort = Number(port) === PAGE_PORT ? '' : ` --port ${port}`;
  const services = environments.map(({ name, url }) => `${name} ${url}`).join(', ');
  return `
Sandbox is running. Open ${pageUrl}

In #oncall, try:
  /notif help
  /notif failures
  /notif event ${failedEventId ?? '<event id>'}
  /notif trigger order-shipped
You act as ann, an operator. ben (“Act as”) isn't one, so changes are refused.
#oncall gets a digest of the last hour's failures in a moment. ${beginning(opening)}: watch the alert arrive and its counts update.
Next to the conversation are things to try and other scenarios to play (also: npm run sandbox:direct -- start bounce-storm${atPort}).

Notification Services: ${services} (key: sandbox-key)
The bot's log: ${logFile}
Ctrl-C stops everything.
`;
}

function beginning({ scenario, inMs }: Opening): string {
  const when = inMs === 0 ? 'Now' : `In ${Math.round(inMs / 1_000)} seconds`;
  return `${when} the scenario '${scenario}' begins`;
}
