import { useState } from 'react';

/**
 * What is being typed into a picker, part by part, before it counts: the day of a date is there before its year, and the bot is to hear
 * of the whole alone.
 *
 * @param value what counts now.
 * @returns the props that a picker of the library takes. What is typed counts when the picker is left, a day of the calendar at once.
 */
export function useDraft<Value extends { compare: (other: Value) => number }>(
  value: Value | null,
  choose: (value: Value | null) => void,
) {
  const [draft, setDraft] = useState<{ readonly value: Value | null } | null>(null);
  const [isCalendarOpen, setCalendarOpen] = useState(false);
  const settle = (next: Value | null) => {
    if (!isSame(next, value)) choose(next);
    setDraft(null);
  };
  return {
    value: draft === null ? value : draft.value,
    onChange: (next: Value | null) => (isCalendarOpen ? settle(next) : setDraft({ value: next })),
    onBlur: () => draft !== null && settle(draft.value),
    onOpenChange: setCalendarOpen,
  };
}

function isSame<Value extends { compare: (other: Value) => number }>(one: Value | null, other: Value | null): boolean {
  return one === null || other === null ? one === other : one.compare(other) === 0;
}
