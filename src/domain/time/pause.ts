/** A pause that something else asked for. */
export interface Pause {
  /** Returns when it ends, in milliseconds since 1970. Null if there is none. */
  end(): number | null;
  /** Returns how long it still lasts, in milliseconds. 0 if there is none. */
  leftMs(): number;
  /** Pauses for so long from now, and no shorter than before. */
  extend(ms: number): void;
}

/** Creates a pause by a clock in milliseconds. It's over if the clock is set back to before its beginning, by an unknown time. */
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
