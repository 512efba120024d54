import { FreeText } from '../../domain/text/free-text.ts';

/** Forms of IDs that the scrubber takes for a key or a phone number: a trace or Sentry event, a UUID, a ULID. */
const KNOWN_FORMS =
  /^(?:[0-9a-f]{32}|[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|[0-7][0-9a-hjkmnp-tv-z]{25})$/i;

/**
 * Returns the ID by which the service's owners find an error (field notes, "Transport"), or what a message has instead, such as
 * `unexpected_provider_error`: an ID of a known form whole, anything else scrubbed. Null for none.
 */
export function errorIdOf(value: string | null | undefined): string | null {
  if (!value) return null;
  return KNOWN_FORMS.test(value) ? value : new FreeText(value).toString();
}
