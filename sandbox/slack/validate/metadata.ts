import type { Arguments } from '../arguments.ts';
import { isJson } from '../json.ts';
import type { Json } from '../page-protocol.ts';
import { Refusal } from '../refusal.ts';

/** Slack has an error code for too much metadata but no number; this one is chosen. */
const MAX_METADATA_BYTES = 16_000;

/** Accepts a message's metadata: null if none is sent, an empty object if it is to be removed. */
export function acceptMetadata(args: Arguments): Json | null {
  const metadata = args.structure('metadata');
  if (metadata === undefined || metadata === null) return null;
  if (!isJson(metadata)) throw new Refusal('invalid_metadata_format');
  if (Object.keys(metadata).length === 0) return metadata;
  if (typeof metadata.event_type !== 'string' || !isJson(metadata.event_payload)) {
    throw new Refusal('invalid_metadata_schema');
  }
  if (Buffer.byteLength(JSON.stringify(metadata)) > MAX_METADATA_BYTES) throw new Refusal('metadata_too_large');
  return metadata;
}
