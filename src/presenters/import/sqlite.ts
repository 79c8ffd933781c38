import type { DatabaseSnapshot } from './database-snapshot.ts';

/** A row of a table, by column name. */
export type Row = Readonly<Record<string, unknown>>;

/** A state of a database. It is valid only while the function that received it runs. */
export interface Database {
  /**
   * Returns the rows of a query, with blobs as null.
   *
   * @throws {TooLargeError} if the rows exceed the limits
   * @throws errors of SQLite
   */
  rows(query: string, ...values: readonly (string | number)[]): readonly Row[];
}

/** Address in the memory of the WebAssembly module. */
type Address = number;

/** A C structure in the module's memory. Its field names begin with `$`. */
interface Struct {
  readonly pointer: Address;
  dispose(): void;
  [field: `$${string}`]: number;
}

interface StructType {
  new (address?: Address): Struct;
  readonly structInfo: { readonly sizeof: number };
}

/** The parts of the package that we use. The package's own types lack the fields of structures. */
interface Sqlite {
  readonly capi: Readonly<Record<'sqlite3_io_methods' | 'sqlite3_vfs' | 'sqlite3_file', StructType>> &
    Readonly<
      Record<
        | 'SQLITE_CANTOPEN'
        | 'SQLITE_IOCAP_IMMUTABLE'
        | 'SQLITE_IOERR_SHORT_READ'
        | 'SQLITE_LIMIT_LENGTH'
        | 'SQLITE_NOTFOUND'
        | 'SQLITE_READONLY',
        number
      >
    > & {
      sqlite3_limit(database: Address, limit: number, value: number): number;
      sqlite3_progress_handler(database: Address, steps: number, stop: () => number, own: Address): void;
    };
  readonly wasm: {
    heap8u(): Uint8Array;
    poke(at: Address, value: number, type: string): void;
    poke32(at: Address, value: number): void;
    poke64(at: Address, value: bigint): void;
    cstrncpy(into: Address, from: Address, length: number): number;
  };
  readonly vfs: { installVfs(parts: Readonly<Record<'io' | 'vfs', Methods>>): unknown };
  readonly oo1: {
    readonly DB: new (options: object) => OpenDatabase;
  };
}

interface OpenDatabase {
  readonly pointer: Address;
  exec(statement: {
    readonly sql: string;
    readonly bind?: readonly (string | number)[] | undefined;
    readonly rowMode?: 'object';
    /** Called for each row; returns false to end the statement. */
    readonly callback?: (row: Record<string, unknown>) => void;
  }): void;
  close(): void;
}

interface Methods {
  readonly struct: Struct;
  readonly name?: string;
  readonly methods: Readonly<Record<string, (...parameters: never[]) => number>>;
}

/** The snapshot being read. There is only one at a time, because reading is synchronous. */
let current: DatabaseSnapshot | undefined;
let loaded: Promise<Sqlite> | undefined;
const fileSystem = 'snapshot';

/** Loads SQLite as WebAssembly. Node's own SQLite, since 22.13, locks the database and writes next to it. */
export function loadSqlite(): Promise<Sqlite> {
  return (loaded ??= import('@sqlite.org/sqlite-wasm').then(async ({ default: start }) => {
    const sqlite = (await start()) as unknown as Sqlite;
    installSnapshots(sqlite);
    return sqlite;
  }));
}

/** Error for a database or session that exceeds the limits. */
export class TooLargeError extends Error {
  override readonly name = 'TooLargeError';
}

/** Error for a database in which an expected table is not an ordinary table. */
class OtherTableError extends Error {
  override readonly name = 'OtherTableError';
}

/** Maximum characters of a text or blob. */
const longestValue = 16_000_000;
/** Maximum memory of SQLite in bytes. Sorting needs most of it. */
const mostMemory = 72_000_000;
/** Maximum characters and maximum rows of all queries together. */
const mostCharacters = 48_000_000;
const mostRows = 80_000;
/** Maximum steps of SQLite's virtual machine, which take about two seconds, and number of steps between checks. */
const mostSteps = 60_000_000;
const stepsBetween = 100_000;

/**
 * Reads a database within limits, because another program wrote it.
 *
 * @param tables names of tables that must be ordinary
 * @param work synchronous function
 * @throws {TooLargeError} if the rows exceed the limits
 * @throws errors of SQLite and of `work`
 */
export function readSnapshot<Result>(
  { capi, oo1 }: Sqlite,
  snapshot: DatabaseSnapshot,
  tables: readonly string[],
  work: (database: Database) => Result,
): Result {
  current = snapshot;
  const database = new oo1.DB({ filename: 'snapshot', flags: 'r', vfs: fileSystem });
  let [steps, rows, characters] = [0, 0, 0];
  const rowsOf: Database['rows'] = (query, ...values) => {
    const found: Row[] = [];
    const callback = (row: Record<string, unknown>) => {
      for (const name in row) {
        const value = (row[name] = scalar(row[name]));
        if (typeof value === 'string') characters += value.length;
      }
      if (++rows > mostRows || characters > mostCharacters) throw new TooLargeError();
      found.push(row);
    };
    database.exec({
      sql: query,
      bind: values.length === 0 ? undefined : values,
      rowMode: 'object',
      callback,
    });
    return found;
  };
  try {
    capi.sqlite3_limit(database.pointer, capi.SQLITE_LIMIT_LENGTH, longestValue);
    const stop = () => ((steps += stepsBetween) > mostSteps ? 1 : 0);
    capi.sqlite3_progress_handler(database.pointer, stepsBetween, stop, 0);
    database.exec({ sql: `PRAGMA hard_heap_limit = ${mostMemory}; PRAGMA trusted_schema = OFF` });
    for (const table of tables) checkTable(table, rowsOf);
    return work({ rows: rowsOf });
  } finally {
    database.close();
    current = undefined;
  }
}

/** @throws {OtherTableError} if the table is a view or a virtual table, or has a computed column */
function checkTable(table: string, rows: Database['rows']): void {
  const [found] = rows(`SELECT type, rootpage FROM sqlite_schema WHERE name = ? COLLATE NOCASE`, table);
  if (found?.['type'] !== 'table' || found['rootpage'] === 0) throw new OtherTableError();
  const columns = rows('SELECT hidden FROM pragma_table_xinfo(?)', table);
  if (columns.some(({ hidden }) => hidden !== 0)) throw new OtherTableError();
}

function scalar(value: unknown): unknown {
  if (typeof value === 'bigint') return Number(value);
  return typeof value === 'string' || typeof value === 'number' ? value : null;
}

/** Gives SQLite a file system that contains only the current snapshot, which no other program changes. */
function installSnapshots({ capi, wasm, vfs }: Sqlite): void {
  const methods = new capi.sqlite3_io_methods();
  methods.$iVersion = 1;
  const files = new capi.sqlite3_vfs();
  files.$iVersion = 1;
  files.$szOsFile = capi.sqlite3_file.structInfo.sizeof;
  files.$mxPathname = 64;
  const done = () => 0;
  const refused = () => capi.SQLITE_READONLY;
  vfs.installVfs({
    io: {
      struct: methods,
      methods: {
        xClose: done,
        xRead: (_file: Address, into: Address, length: number, place: bigint) => {
          const bytes = wasm.heap8u().subarray(into, into + length);
          const read = current?.read(bytes, Number(place)) ?? 0;
          // SQLite expects zeros where a read exceeds the end of the file.
          bytes.fill(0, read);
          return read < length ? capi.SQLITE_IOERR_SHORT_READ : 0;
        },
        xWrite: refused,
        xTruncate: refused,
        xSync: done,
        xFileSize: (_file: Address, into: Address) => {
          wasm.poke64(into, BigInt(current?.size ?? 0));
          return 0;
        },
        xLock: done,
        xUnlock: done,
        xCheckReservedLock: (_file: Address, into: Address) => {
          wasm.poke32(into, 0);
          return 0;
        },
        xFileControl: () => capi.SQLITE_NOTFOUND,
        xSectorSize: () => 4_096,
        xDeviceCharacteristics: () => capi.SQLITE_IOCAP_IMMUTABLE,
      },
    },
    vfs: {
      struct: files,
      name: fileSystem,
      methods: {
        xOpen: (_files: Address, _name: Address, file: Address, flags: number, into: Address) => {
          const opened = new capi.sqlite3_file(file);
          opened.$pMethods = methods.pointer;
          opened.dispose();
          wasm.poke32(into, flags);
          return 0;
        },
        xDelete: refused,
        xAccess: (_files: Address, _name: Address, _flags: number, into: Address) => {
          wasm.poke32(into, 0);
          return 0;
        },
        xFullPathname: (_files: Address, name: Address, length: number, into: Address) =>
          wasm.cstrncpy(into, name, length) < length ? 0 : capi.SQLITE_CANTOPEN,
        xRandomness: (_files: Address, length: number) => length,
        xSleep: done,
        xCurrentTime: (_files: Address, into: Address) => {
          wasm.poke(into, 0, 'f64');
          return 0;
        },
        xGetLastError: done,
      },
    },
  });
}
