export interface Pause {
  /** Milliseconds since 1970; null if there is none. */
  end(): number | null;
  leftMs(): number;
  /** Pauses for so long from now, and no shorter than before. */
  extend(ms: number): void;
}

/** It's over if the clock is set back to before its beginning, by an unknown time. */
export function createPause(now: () => number): Pause {
  let pause = { from: 0, until: 0 };
  const end = () => (now() >= pause.from && now() < pause.until ? pause.until : null);
  return {
    end,
    leftMs: () => Math.max(0, (end() ?? 0) - now()),
    extend: (ms) => {
      const from = now();
      pause = { from, until: Math.max(end() ?? 0, from + ms) };
    },
  };
}
