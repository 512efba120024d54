import { CHANNELS } from '../delivery-channels.ts';
import { fold } from '../fold.ts';
import { nearest } from '../nearest.ts';
import type { WatchFilter } from './watch.ts';

/** The names seen in the events of some environments. */
export interface KnownNames {
  /** Identifiers and names. */
  readonly workflows: readonly string[];
  readonly channels: readonly string[];
  readonly providers: readonly string[];
  readonly severities: readonly string[];
  readonly topics: readonly string[];
  readonly contexts: readonly string[];
  readonly tags: readonly string[];
}

/** A name in a filter that hasn't been seen so far. */
export interface UnknownName {
  readonly what: 'workflow' | 'channel' | 'provider' | 'severity' | 'topic' | 'context' | 'tag';
  readonly name: string;
  /** The known name that was most likely meant, if one is near. */
  readonly meant: string | null;
}

/** The contract's names, known before anything was seen. */
const ALWAYS = {
  channels: CHANNELS,
  severities: ['high', 'medium', 'low', 'none'],
} as const;

/** Returns the names of a filter that match nothing known; case matters only in contexts. */
export function unknownNames(filter: WatchFilter, known: KnownNames): UnknownName[] {
  return [
    ...unknownAmong('workflow', filter.workflows, known.workflows),
    ...unknownAmong('channel', filter.channels, [...ALWAYS.channels, ...known.channels]),
    ...unknownAmong('provider', filter.providers, known.providers),
    ...unknownAmong('severity', filter.severities, [...ALWAYS.severities, ...known.severities]),
    ...unknownAmong('topic', filter.topics, known.topics),
    ...unknownAmong('context', filter.contexts, known.contexts, (name) => name),
    ...unknownAmong('tag', filter.tags, known.tags),
  ];
}

function unknownAmong(
  what: UnknownName['what'],
  names: readonly string[],
  known: readonly string[],
  asCompared: (name: string) => string = fold,
): UnknownName[] {
  const compared = new Set(known.map(asCompared));
  return names
    .filter((name) => !compared.has(asCompared(name)))
    .map((name) => ({ what, name, meant: nearest(name, known) }));
}
