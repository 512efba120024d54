import type { ReactNode } from 'react';
import type { TrafficProblem } from '../../traffic/traffic-protocol.ts';
import { jsonLines, placeOf } from './json-lines.ts';

interface MarkedJsonProps {
  readonly value: unknown;
  /** What is wrong in it: each is shown where it is. */
  readonly problems: readonly TrafficProblem[];
}

/** JSON in which the refused places are marked. */
export function MarkedJson({ value, problems }: MarkedJsonProps): ReactNode {
  const lines = jsonLines(value);
  const wrong = problems.map(({ message, pointer }) => ({ message, place: placeOf(pointer ?? '', lines) }));
  return (
    // It scrolls, and so has to be reached by the keyboard.
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
