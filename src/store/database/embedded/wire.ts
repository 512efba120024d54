import { Duplex } from 'node:stream';

export interface WireParts {
  /** Takes one message of PostgreSQL's wire protocol. */
  send(message: Uint8Array): void;
  /** Called once, when the driver is done with the connection. */
  end(): void;
}

/** The driver's Terminate message. */
const TERMINATE = 'X'.charCodeAt(0);

/** Creates what the driver takes for a socket: cuts what it writes into messages. The first has no type, the others have one of a byte. */
export function createWire({ send, end }: WireParts): Duplex {
  let rest: Buffer = Buffer.alloc(0);
  let typeLength = 0;

  function nextMessage(): Buffer | null {
    if (rest.length < typeLength + 4) return null;
    const length = typeLength + rest.readInt32BE(typeLength);
    if (rest.length < length) return null;
    const message = rest.subarray(0, length);
    rest = rest.subarray(length);
    typeLength = 1;
    return message;
  }

  const wire = new Duplex({
    read() {},
    write(chunk: Buffer, _encoding, done) {
      rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
      for (let message = nextMessage(); message !== null; message = nextMessage())
        if (message[0] !== TERMINATE || message.length > 5) send(Uint8Array.from(message));
      done();
    },
    final(done) {
      wire.push(null);
      done();
    },
    destroy(error, done) {
      end();
      done(error);
    },
  });
  const nothing = () => wire;
  return Object.assign(wire, {
    connect: () => {
      setImmediate(() => wire.emit('connect'));
      return wire;
    },
    ...{ setNoDelay: nothing, setKeepAlive: nothing, ref: nothing, unref: nothing },
  });
}
