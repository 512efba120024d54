import type { ReactNode } from 'react';

interface AvatarProps {
  readonly id: string;
  readonly name: string;
  readonly isBot: boolean;
}

/** Each is dark enough for white letters. */
const COLORS = ['#8c3b6b', '#2f6690', '#3a7d44', '#a4581e', '#6a4c93', '#1b7f79', '#9d3c3c', '#4d6a2b'] as const;

/** Shows somebody's first letter in a color of their own. It adds nothing to the name beside it. */
export function Avatar({ id, name, isBot }: AvatarProps): ReactNode {
  return (
    <span
      className={`avatar${isBot ? ' bot' : ''}`}
      style={isBot ? {} : { background: colorOf(id) }}
      aria-hidden="true"
    >
      {[...name][0]?.toUpperCase()}
    </span>
  );
}

/** Returns the same color for the same ID everywhere. */
function colorOf(id: string): string {
  const sum = [...id].reduce((total, letter) => total * 31 + (letter.codePointAt(0) ?? 0), 7);
  return COLORS[sum % COLORS.length] ?? COLORS[0];
}
