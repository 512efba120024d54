import type { TriggeredEvent } from '../service/event.ts';

export const LABEL_KINDS = ['context', 'topic', 'tag', 'severity'] as const;
export type LabelKind = (typeof LABEL_KINDS)[number];

/** Something that an event carries and others don't: 'context' 'tenant:acme'. */
export interface Label {
  readonly kind: LabelKind;
  readonly value: string;
}

/** The number that every event is counted under. */
export const ANY_EVENT = 0;

/**
 * Labels of a kind are counted under so many numbers, whatever their number: two that share one are counted together, so that a count is
 * never too low. With a thousand tenants of about the same size, each looks like a 64th of the events at most times.
 */
const NUMBERS_A_KIND = 64;

/** The number that a label's events are counted under: 1 to 256. */
export function labelNumber({ kind, value }: Label): number {
  return 1 + LABEL_KINDS.indexOf(kind) * NUMBERS_A_KIND + (hashOf(value) % NUMBERS_A_KIND);
}

/** The numbers that an event is counted under, each once: at most 257, however many labels it has. */
export function labelNumbersOf(
  event: Pick<TriggeredEvent, 'contextKeys' | 'topicKeys' | 'tags' | 'severity'>,
): readonly number[] {
  const { contextKeys, topicKeys, tags, severity } = event;
  const numbers = (kind: LabelKind, values: readonly string[]) => values.map((value) => labelNumber({ kind, value }));
  return [
    ...new Set([
      ANY_EVENT,
      ...numbers('context', contextKeys),
      ...numbers('topic', topicKeys),
      ...numbers('tag', tags),
      ...(severity === null ? [] : numbers('severity', [severity])),
    ]),
  ];
}

/** FNV-1a of 32 bits: every event's labels go through it. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  return (hash ^ (hash >>> 15)) >>> 0;
}
