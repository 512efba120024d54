import { type PGlite, parse, protocol } from '@electric-sql/pglite';
import type { Answer } from '../database.ts';

/** Statements that are parsed and planned once, for all the times that they're run. */
export interface Statements {
  /** Runs one statement in the transaction that is running. Rejects with PostgreSQL's error. */
  inTransaction(text: string, values: readonly unknown[]): Promise<Answer>;
  /** Runs one statement by itself, when no transaction is running. */
  alone(text: string, values: readonly unknown[]): Promise<Answer>;
}

type Engine = Pick<
  PGlite,
  'closed' | 'execProtocolStream' | 'serializers' | 'parsers' | 'runExclusive' | '_runExclusiveTransaction'
>;
type Message = Awaited<ReturnType<PGlite['execProtocolStream']>>[number];

/** What PostgreSQL keeps of a statement. */
interface Prepared {
  readonly name: string;
  readonly parameters: readonly number[];
}

/** Beyond this all are forgotten: Notif has some hundred, the queue has some that name its tables. */
const MOST_KEPT = 500;

/** A plan that was made for an empty table is poor for a full one: plans are made again once so many rows were written. */
const ROWS_A_PLAN = 1_000;

const { serialize } = protocol;

/**
 * Prepared statements on a connection of PGlite. Its own `query` parses, plans and asks for types each time, in six round trips to
 * PostgreSQL: a short statement takes five times as long that way.
 */
export function createStatements(engine: Engine): Statements {
  const prepared = new Map<string, Prepared>();
  let names = 0;
  let written = 0;

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
    const statement = { name, parameters: parse.parseDescribeStatementResults(described) };
    prepared.set(text, statement);
    return statement;
  }

  async function planAgain(): Promise<void> {
    await ask(serialize.query('DISCARD PLANS'));
    written = 0;
  }

  async function run(text: string, values: readonly unknown[]): Promise<Answer> {
    if (engine.closed) throw new Error('the embedded database is closed');
    if (written >= ROWS_A_PLAN) await planAgain();
    const { name, parameters } = prepared.get(text) ?? (await prepare(text));
    const wire = values.map((value, index) => onWire(engine, parameters[index], value));
    const messages = await ask(
      serialize.bind({ statement: name, values: wire }),
      serialize.describe({ type: 'P' }),
      serialize.execute({}),
    );
    const [answer] = parse.parseResults(messages, engine.parsers);
    const affected = answer?.affectedRows ?? 0;
    written += affected;
    return { rows: answer?.rows ?? [], affected };
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
