/** Silences an incident, or everything, in a watch until a time; then the watch is told of what it missed. */
export interface Mute {
  readonly by: string;
  readonly from: Date;
  readonly until: Date;
}

/** A mute after somebody muted. `isRepeat`: the same person had muted it until then already, so nothing changed. */
export interface MuteAfter extends Mute {
  readonly isRepeat: boolean;
}
