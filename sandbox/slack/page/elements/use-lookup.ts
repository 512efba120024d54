import { useEffect, useEffectEvent, useState } from 'react';
import type { Option } from '../blocks/objects.ts';

/** The pause in typing after which the bot is asked, in milliseconds: Slack doesn't ask at each key either. */
const pause = 150;

/**
 * Looks up options for the typed text; null means not now. Only the answer to the newest query is shown.
 *
 * @returns the options, or null while there are none to show.
 */
export function useLookup(
  typed: string | null,
  look: (typed: string) => Promise<readonly Option[]>,
): readonly Option[] | null {
  const [options, setOptions] = useState<readonly Option[] | null>(null);
  const ask = useEffectEvent(look);
  useEffect(() => {
    setOptions(null);
    if (typed === null) return;
    let outdated = false;
    const timer = setTimeout(async () => {
      const found = await ask(typed);
      if (!outdated) setOptions(found);
    }, pause);
    return () => {
      outdated = true;
      clearTimeout(timer);
    };
  }, [typed]);
  return options;
}
