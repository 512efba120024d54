type Change = (...given: never[]) => Promise<unknown>;

/** What somebody does that leaves something to deliver: a message to draw again, the end of a watch, an entry for the mirror of the trail. */
interface Changes {
  readonly makeWatch: Change;
  readonly changeWatch: Change;
  readonly endWatch: Change;
  readonly takeOver: Change;
  readonly mute: Change;
  readonly unmute: Change;
  readonly setChannelEnvironment: Change;
  readonly settleChange: Change;
}

/** The same store, which has what a change leaves to deliver delivered at once. */
export function wakeAfterChanges<Store extends Changes>(store: Store, wakeDelivery: () => Promise<void>): Store {
  function waking<Given extends never[], Result>(change: (...given: Given) => Promise<Result>) {
    return async (...given: Given): Promise<Result> => {
      const result = await change(...given);
      await wakeDelivery();
      return result;
    };
  }
  return {
    ...store,
    makeWatch: waking(store.makeWatch),
    changeWatch: waking(store.changeWatch),
    endWatch: waking(store.endWatch),
    takeOver: waking(store.takeOver),
    mute: waking(store.mute),
    unmute: waking(store.unmute),
    setChannelEnvironment: waking(store.setChannelEnvironment),
    settleChange: waking(store.settleChange),
  };
}
