import { storeOn } from '../../src/store/store.ts';
import { openHere } from './engine-here.ts';
import { playNight } from './night/play-night.ts';
import { theNight } from './night/script.ts';
import { transcriptOf } from './night/transcript.ts';

/** Plays the scripted night and prints what #oncall showed. Returns whether each message was true at each minute. */
export async function printNight(): Promise<boolean> {
  const { database, close } = await openHere();
  try {
    const { scenes, check } = await playNight(theNight(), storeOn(database));
    console.log(transcriptOf(scenes));
    console.log(
      `rows compared with what was planted: ${check.checked.rows}, in ${check.checked.minutes} minutes; untrue: ${check.untruths.length}`,
    );
    for (const { what } of check.untruths) console.log(what);
    return check.untruths.length === 0;
  } finally {
    await close();
  }
}
