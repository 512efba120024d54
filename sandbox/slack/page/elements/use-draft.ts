import { useState } from 'react';

/**
 * Keeps what is being typed into a picker part by part until it counts: a date's day is there before its year, and the bot must get only
 * the whole.
 *
 * @param value the value that counts now.
 * @returns the props for a picker of the library. Typed input counts when the picker is left, a day of the calendar at once.
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
