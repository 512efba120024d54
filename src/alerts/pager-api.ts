import { z } from 'zod';
import { bodyOf, callAddress } from '../lib/http.ts';
import { jsonIn } from '../lib/text/scrub.ts';
import { jsonOf } from '../store/db.ts';

export interface AlertmanagerSettings {
  url: string;
  /** The header of this name, with a login or a token. */
  authorization: string | null;
  /** Names of those whose incidents it gets. */
  environments: readonly string[];
}

/** A `postableAlert` of Alertmanager's OpenAPI v2. */
export interface PostableAlert {
  labels: Readonly<Record<string, string | undefined>>;
  annotations: Readonly<Record<string, string | undefined>>;
  startsAt: string;
  endsAt: string;
}

/** What only an Alertmanager says of itself, beside its configuration. */
const Status = z.object({ cluster: z.object(), versionInfo: z.object() });
/** Version 2 of the API answers alerts with an empty body; version 1 did with this word. */
const Taken = z.union([z.literal(''), z.object({ status: z.literal('success') })]);

/** Returns why the alerts weren't taken, or null. Alerts only go to an address that answers as an Alertmanager. */
export async function sendAlerts(
  { url, authorization }: AlertmanagerSettings,
  alerts: readonly PostableAlert[],
  stopping: AbortSignal,
): Promise<string | null> {
  const headers = { 'content-type': 'application/json', ...(authorization !== null && { authorization }) };
  // A redirect leads to a login page, which answers 200, or takes the incidents to another host.
  const request = { headers, stopping, redirect: 'manual' as const };
  const why = await callAddress(`${url}/api/v2/status`, { ...request, judge: judgeBy(Status) });
  if (why !== null || alerts.length === 0) return why;
  const post = { method: 'POST', body: jsonOf(alerts), judge: judgeBy(Taken) };
  return callAddress(`${url}/api/v2/alerts`, { ...request, ...post });
}

/** The status holds Alertmanager's whole configuration. */
const MOST_BYTES = 4 * 2 ** 20;

function judgeBy(Expected: z.ZodType) {
  return async ({ status, body }: Response): Promise<string | null> => {
    if (status >= 300 && status < 400) return `redirects elsewhere (${status})`;
    if (status !== 200) return `answered ${status}`;
    const text = (await bodyOf(body ?? [], MOST_BYTES))?.toString().trim();
    const answer = text === '' ? '' : jsonIn(text ?? '');
    return Expected.safeParse(answer).success ? null : "answered 200, but not as Alertmanager's API does";
  };
}
