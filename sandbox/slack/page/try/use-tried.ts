import { useCallback, useEffect, useRef, useState } from 'react';
import { z } from 'zod';
import type { Snapshot } from '../../page-protocol.ts';
import { useStored } from '../use-stored.ts';
import type { Happening } from './stages.ts';
import { advance, type Progress } from './story.ts';

/** How far the things to try have come, and who hears of what happens. */
export interface Tried {
  readonly progress: Progress;
  readonly note: (happening: Happening) => void;
  readonly startOver: () => void;
}

/** Follows what happens on the page; remembered over a reload, for all people that one acts as. */
export function useTried(snapshot: Snapshot): Tried {
  const [progress, store] = useStored('things tried', z.record(z.string(), z.number()), {});
  const [openedAt, setOpenedAt] = useState(() => Date.now() / 1_000);
  // Two things may happen before the page is drawn again: the second one builds upon the first.
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
