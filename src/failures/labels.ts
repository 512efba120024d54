import type { TriggeredEvent } from '../service/event.ts';

export const LABEL_KINDS = ['context', 'topic', 'tag', 'severity'] as const;
export type LabelKind = (typeof LABEL_KINDS)[number];

/** Something that some events have and others don't: 'context' 'tenant:acme'. */
export interface Label {
  readonly kind: LabelKind;
  readonly value: string;
}

export type Labeled = Pick<TriggeredEvent, 'contextKeys' | 'topicKeys' | 'tags' | 'severity'>;

export function labelsOf({ contextKeys, topicKeys, tags, severity }: Labeled): Label[] {
  return [
    ...contextKeys.map((value): Label => ({ kind: 'context', value })),
    ...topicKeys.map((value): Label => ({ kind: 'topic', value })),
    ...tags.map((value): Label => ({ kind: 'tag', value })),
    ...(severity === null ? [] : [{ kind: 'severity', value: severity } as const]),
  ];
}

export function labelKey({ kind, value }: Label): string {
  return `${kind} ${value}`;
}
