import { type ReactNode, useCallback, useEffect, useRef, useState } from 'react';
import { z } from 'zod';
import type { Snapshot } from '../../page-protocol.ts';
import { useStored } from '../hooks.ts';
import { useWorkspace } from '../workspace.ts';
import type { Happening } from './happenings.ts';
import { advance, countDone, isDone, type Progress, STORY, type Thing } from './story.ts';

export interface Tried {
  readonly progress: Progress;
  readonly note: (happening: Happening) => void;
  readonly startOver: () => void;
}

/** Follows what happens on the page. The progress survives a reload, and is shared by all people that the user acts as. */
export function useTried(snapshot: Snapshot): Tried {
  const [progress, store] = useStored('things tried', z.record(z.string(), z.number()), {});
  const [openedAt, setOpenedAt] = useState(() => Date.now() / 1_000);
  // Two events can happen before the next render; the second must build on the first.
  const latest = useRef(progress);
  const move = useCallback(
    (next: Progress) => {
      if (next === latest.current) return;
      latest.current = next;
      store(next);
    },
    [store],
  );
  const note = useCallback((happening: Happening) => move(advance(latest.current, happening)), [move]);
  const startOver = () => {
    setOpenedAt(Date.now() / 1_000);
    move({});
  };
  useEffect(() => note({ kind: 'snapshot', snapshot, openedAt }), [note, snapshot, openedAt]);
  return { progress, note, startOver };
}

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
