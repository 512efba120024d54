import type { ReactNode } from 'react';
import { useWorkspace } from '../workspace.ts';
import { countDone, isDone, STORY, type Thing } from './story.ts';
import type { Tried } from './use-tried.ts';

interface TryTabProps {
  readonly tried: Tried;
  readonly onPropose: (text: string, conversation: string) => void;
}

/** Shows the things to try, in order. Each one is ticked when it was really done. */
export function TryTab({ tried, onPropose }: TryTabProps): ReactNode {
  const { progress, startOver } = tried;
  const done = countDone(progress);
  return (
    <>
      <p className="quiet">
        {done === STORY.length ? 'That was all of it. Thank you for trying it.' : 'A five-minute tour of Notif.'}
      </p>
      <ol className="things">
        {STORY.map((thing) => (
          <ThingToTry key={thing.id} thing={thing} isDone={isDone(thing, progress)} onPropose={onPropose} />
        ))}
      </ol>
      {done > 0 && (
        <button type="button" onClick={startOver}>
          Start over
        </button>
      )}
    </>
  );
}

interface ThingProps {
  readonly thing: Thing;
  readonly isDone: boolean;
  readonly onPropose: (text: string, conversation: string) => void;
}

function ThingToTry({ thing: { id, title, how, propose }, isDone, onPropose }: ThingProps): ReactNode {
  const { snapshot } = useWorkspace();
  const proposal = propose?.(snapshot);
  return (
    <li data-thing={id} data-done={isDone || undefined}>
      <span className="tick" role="img" aria-label={isDone ? 'Done' : 'To do'}>
        {isDone ? '✓' : ''}
      </span>
      <div>
        <h3>{title}</h3>
        <p>{how}</p>
        {proposal && (
          <button
            type="button"
            className="proposal"
            title={`Type it in #${proposal.in}`}
            onClick={() => onPropose(proposal.text, proposal.in)}
          >
            {proposal.text}
          </button>
        )}
      </div>
    </li>
  );
}
