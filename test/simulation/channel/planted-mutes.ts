/** A scripted mute of an incident in a channel's watch, or of the whole watch if `incident` is null. Times are milliseconds. */
export interface PlantedMute {
  readonly channel: string;
  readonly incident: string | null;
  readonly from: number;
  until: number;
}

export interface PlantedMutes {
  /** Called when somebody mutes an incident or a watch. Somebody else's active mute of the same is extended. */
  begins(mute: PlantedMute): void;
  /** Returns the mutes that are active. */
  active(at: number): readonly PlantedMute[];
  /** Called when a failure is recorded: a mute withholds it if it occurred and was recorded during that mute. */
  records(incident: string, occurredAt: number, recordedAt: number): void;
  /** Called when a channel is alerted to an incident. Returns how many failures mutes have withheld since it was last alerted. */
  settles(channel: string, incident: string): number;
}

/** Follows what mutes withhold by the rules of docs/guarantees.md ("Around a mute"), each failure once however many mutes overlap. */
export function createPlantedMutes(): PlantedMutes {
  const mutes: PlantedMute[] = [];
  const withheld = new Map<string, number>();
  const active = (at: number) => mutes.filter(({ from, until }) => from <= at && at < until);
  const keyOf = (channel: string, incident: string) => `${channel} ${incident}`;

  return {
    active,
    begins(mute) {
      const same = active(mute.from).find((one) => one.channel === mute.channel && one.incident === mute.incident);
      if (same === undefined) mutes.push({ ...mute });
      else same.until = mute.until;
    },
    records(incident, occurredAt, recordedAt) {
      const covering = active(recordedAt).filter(
        (one) => one.from <= occurredAt && (one.incident ?? incident) === incident,
      );
      for (const channel of new Set(covering.map((one) => one.channel))) {
        const key = keyOf(channel, incident);
        withheld.set(key, (withheld.get(key) ?? 0) + 1);
      }
    },
    settles(channel, incident) {
      const key = keyOf(channel, incident);
      const count = withheld.get(key) ?? 0;
      withheld.delete(key);
      return count;
    },
  };
}
