import { useState } from 'react';

/**
 * Keeps what is being typed into a field part by part until it is left: hours are there before minutes, and the bot must get only the whole.
 *
 * @param value the value that counts now.
 * @returns the props for a field of the library.
 */
export function useDraft<Value extends { compare: (other: Value) => number }>(
  value: Value | null,
  choose: (value: Value | null) => void,
) {
  const [draft, setDraft] = useState<{ readonly value: Value | null } | null>(null);
  const settle = (next: Value | null) => {
    if (!isSame(next, value)) choose(next);
    setDraft(null);
  };
  return {
    value: draft === null ? value : draft.value,
    onChange: (next: Value | null) => setDraft({ value: next }),
    onBlur: () => draft !== null && settle(draft.value),
  };
}

function isSame<Value extends { compare: (other: Value) => number }>(one: Value | null, other: Value | null): boolean {
  return one === null || other === null ? one === other : one.compare(other) === 0;
}
