import { nearest } from '../nearest.ts';
import { type JsonObject, Payload } from '../text/payload.ts';
import { isObject } from '../text/same-json.ts';
import type { Row, RowMistake } from './trigger-rows.ts';

/** The fields of a subscriber's profile (contract, "Trigger event item") except `channels`: credentials have their own command. */
const TEXTS = ['firstName', 'lastName', 'email', 'phone', 'avatar', 'locale', 'timezone'] as const;
const FIELDS = [...TEXTS, 'data'] as const;

const PROFILE_EXAMPLE = 'user-1 {"firstName": "Ada", "locale": "en_GB"}';

export interface ProfilesRead {
  /** By subscriber ID. */
  readonly profiles: ReadonlyMap<string, Payload>;
  readonly mistakes: readonly RowMistake[];
}

/** Parses rows as the profiles of some of the recipients. */
export function parseProfiles(rows: readonly Row[], recipients: readonly Row[]): ProfilesRead {
  const known = new Set(recipients.map(({ subscriberId }) => subscriberId));
  const profiles = new Map<string, Payload>();
  const mistakes: RowMistake[] = [];
  for (const row of rows) {
    const what = profiles.has(row.subscriberId)
      ? 'this subscriber has a profile above already'
      : whatIsWrong(row, known);
    if (what === null) profiles.set(row.subscriberId, new Payload(row.content ?? {}));
    else mistakes.push({ place: row.place, what, example: PROFILE_EXAMPLE });
  }
  return { profiles, mistakes };
}

function whatIsWrong({ subscriberId, content }: Row, known: ReadonlySet<string>): string | null {
  if (!known.has(subscriberId)) return 'this subscriber is not among those that it is sent to';
  if (content === null || Object.keys(content).length === 0) return 'nothing of the profile is named';
  return (
    Object.entries(content)
      .map(wrongField)
      .find((what) => what !== null) ?? null
  );
}

function wrongField([name, value]: [string, JsonObject[string]]): string | null {
  if (name === 'data') return isObject(value) ? null : 'data must be a JSON object';
  if (TEXTS.some((text) => text === name)) return typeof value === 'string' ? null : `${name} has to be a text`;
  const meant = nearest(name, FIELDS);
  return meant === null
    ? `a profile has no such field; it has ${FIELDS.join(', ')}`
    : `a profile has no such field; did you mean ${meant}?`;
}
