type Change = (...given: never[]) => Promise<unknown>;

/** Actions that leave something to deliver: a message to redraw, or the end of a watch. */
interface Changes {
  readonly watches: {
    readonly makeWatch: Change;
    readonly changeWatch: Change;
    readonly endWatch: Change;
    readonly setChannelEnvironment: Change;
    readonly mute: Change;
    readonly unmute: Change;
  };
}

export function wakeAfterChanges<Store extends Changes>(store: Store, wakeDelivery: () => Promise<void>): Store {
  function waking<Given extends never[], Result>(change: (...given: Given) => Promise<Result>) {
    return async (...given: Given): Promise<Result> => {
      const result = await change(...given);
      await wakeDelivery();
      return result;
    };
  }
  const { watches } = store;
  return {
    ...store,
    watches: {
      ...watches,
      makeWatch: waking(watches.makeWatch),
      changeWatch: waking(watches.changeWatch),
      endWatch: waking(watches.endWatch),
      setChannelEnvironment: waking(watches.setChannelEnvironment),
      mute: waking(watches.mute),
      unmute: waking(watches.unmute),
    },
  };
}
