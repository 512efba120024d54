import { type PGlite, parse, protocol } from '@electric-sql/pglite';
import type { StatementResult } from '../database.ts';

export interface Statements {
  /** Runs one statement in the current transaction. Rejects with PostgreSQL's error. */
  inTransaction(text: string, values: readonly unknown[]): Promise<StatementResult>;
  /** Runs one statement by itself, when no transaction is running. */
  alone(text: string, values: readonly unknown[]): Promise<StatementResult>;
}

type Engine = Pick<
  PGlite,
  'closed' | 'execProtocolStream' | 'serializers' | 'parsers' | 'runExclusive' | '_runExclusiveTransaction'
>;
type Message = Awaited<ReturnType<PGlite['execProtocolStream']>>[number];

interface Prepared {
  readonly name: string;
  readonly parameters: readonly number[];
  /** The columns of its answers; empty if it has none. Asked for once: describing them takes as long as many answers. */
  readonly columns: readonly Message[];
}

/** Beyond this, all are dropped. Notif has about a hundred statements, and the queue has some that name its tables. */
const MOST_KEPT = 500;

const { serialize } = protocol;

/**
 * Prepared statements on a PGlite connection. PGlite's own `query` parses, plans and looks up types each time, in six round trips to
 * PostgreSQL, which makes a short statement take five times as long.
 */
export function createStatements(engine: Engine): Statements {
  const prepared = new Map<string, Prepared>();
  let names = 0;

  async function ask(...messages: readonly Uint8Array[]): Promise<Message[]> {
    return engine.execProtocolStream(Buffer.concat([...messages, serialize.sync()]), { syncToFs: false });
  }

  async function prepare(text: string): Promise<Prepared> {
    if (prepared.size >= MOST_KEPT) {
      await ask(serialize.query('DEALLOCATE ALL'));
      prepared.clear();
    }
    const name = `notif_${++names}`;
    const described = await ask(serialize.parse({ name, text }), serialize.describe({ type: 'S', name }));
    const columns = described.filter((message) => message.name === 'rowDescription');
    const statement = { name, parameters: parse.parseDescribeStatementResults(described), columns };
    prepared.set(text, statement);
    return statement;
  }

  async function run(text: string, values: readonly unknown[]): Promise<StatementResult> {
    if (engine.closed) throw new Error('the embedded database is closed');
    const { name, parameters, columns } = prepared.get(text) ?? (await prepare(text));
    const wire = values.map((value, index) => onWire(engine, parameters[index], value));
    const messages = await ask(serialize.bind({ statement: name, values: wire }), serialize.execute({}));
    const [answer] = parse.parseResults([...columns, ...messages], engine.parsers);
    return { rows: answer?.rows ?? [], affected: answer?.affectedRows ?? 0 };
  }

  const inTransaction: Statements['inTransaction'] = (text, values) => engine.runExclusive(() => run(text, values));
  return {
    inTransaction,
    alone: (text, values) => engine._runExclusiveTransaction(() => inTransaction(text, values)),
  };
}

function onWire({ serializers }: Engine, type: number | undefined, value: unknown): string | null {
  if (value === null || value === undefined) return null;
  const serializer = type === undefined ? undefined : serializers[type];
  return serializer === undefined ? String(value) : serializer(value);
}
