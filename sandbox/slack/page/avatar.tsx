import type { ReactNode } from 'react';

interface AvatarProps {
  readonly id: string;
  readonly name: string;
  readonly isBot: boolean;
}

/** Each is dark enough for white letters. */
const COLORS = ['#8c3b6b', '#2f6690', '#3a7d44', '#a4581e', '#6a4c93', '#1b7f79', '#9d3c3c', '#4d6a2b'] as const;

/** Somebody's picture: their first letter, in a color of their own. It says nothing that the name beside it does not. */
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

/** The same for the same id, wherever it stands. */
function colorOf(id: string): string {
  const sum = [...id].reduce((total, letter) => total * 31 + (letter.codePointAt(0) ?? 0), 7);
  return COLORS[sum % COLORS.length] ?? COLORS[0];
}
