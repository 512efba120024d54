import type { ReactNode } from 'react';
import type { TrafficProblem } from '../../traffic/traffic-protocol.ts';
import { jsonLines, placeOf } from './json-lines.ts';

interface MarkedJsonProps {
  readonly value: unknown;
  /** The problems, each shown at its place. */
  readonly problems: readonly TrafficProblem[];
}

/** Shows JSON with the refused places marked. */
export function MarkedJson({ value, problems }: MarkedJsonProps): ReactNode {
  const lines = jsonLines(value);
  const wrong = problems.map(({ message, pointer }) => ({ message, place: placeOf(pointer ?? '', lines) }));
  return (
    // It scrolls, so it must be reachable by keyboard.
    // biome-ignore lint/a11y/noNoninteractiveTabindex: see above
    <pre className="json" tabIndex={0}>
      {lines.map(({ depth, text, pointer }, index) => {
        const here = wrong.filter(({ place }) => place === pointer).map(({ message }) => message);
        const indented = `${'  '.repeat(depth)}${text}`;
        // Lines of one drawing never move.
        // biome-ignore lint/suspicious/noArrayIndexKey: see above
        return <JsonLine key={index} text={indented} messages={here} />;
      })}
    </pre>
  );
}

function JsonLine({ text, messages }: { readonly text: string; readonly messages: readonly string[] }): ReactNode {
  if (messages.length === 0) return <span>{text}</span>;
  return (
    <mark>
      {text} <strong>← {messages.join('; ')}</strong>
    </mark>
  );
}
