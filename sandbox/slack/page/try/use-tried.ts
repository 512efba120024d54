import { useCallback, useEffect, useRef, useState } from 'react';
import { z } from 'zod';
import type { Snapshot } from '../../page-protocol.ts';
import { useStored } from '../use-stored.ts';
import type { Happening } from './stages.ts';
import { advance, type Progress } from './story.ts';

/** The progress of the things to try, and the listener for events. */
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
