import type { DatabaseSnapshot } from './database-snapshot.ts';

/** A table row, by column name. */
export type Row = Readonly<Record<string, unknown>>;

/** One state of a database, valid while the function that received it runs. */
export interface Database {
  /**
   * The rows of a query.
   *
   * @param values for its question marks
   * @throws errors of SQLite
   */
  rows(query: string, ...values: readonly (string | number)[]): readonly Row[];
}

/** Address in the memory of the WebAssembly module. */
type Address = number;

/** A C structure in that memory; its fields have their names after `$`. */
interface Struct {
  readonly pointer: Address;
  dispose(): void;
  [field: `$${string}`]: number;
}

interface StructType {
  new (address?: Address): Struct;
  readonly structInfo: { readonly sizeof: number };
}

/** The parts of the package in use. Its own types lack structure fields. */
export interface Sqlite {
  readonly capi: Readonly<Record<'sqlite3_io_methods' | 'sqlite3_vfs' | 'sqlite3_file', StructType>> &
    Readonly<
      Record<
        | 'SQLITE_CANTOPEN'
        | 'SQLITE_IOCAP_IMMUTABLE'
        | 'SQLITE_IOERR_SHORT_READ'
        | 'SQLITE_NOTFOUND'
        | 'SQLITE_READONLY',
        number
      >
    >;
  readonly wasm: {
    heap8u(): Uint8Array;
    poke(at: Address, value: number, type: string): void;
    poke32(at: Address, value: number): void;
    poke64(at: Address, value: bigint): void;
    cstrncpy(into: Address, from: Address, length: number): number;
  };
  readonly vfs: { installVfs(parts: Readonly<Record<'io' | 'vfs', Methods>>): unknown };
  readonly oo1: {
    readonly DB: new (options: object) => {
      selectObjects(query: string, values: readonly (string | number)[] | undefined): readonly Row[];
      close(): void;
    };
  };
}

interface Methods {
  readonly struct: Struct;
  readonly name?: string;
  readonly methods: Readonly<Record<string, (...parameters: never[]) => number>>;
}

/** The file being read. There is only one at a time, because reads are synchronous. */
let current: DatabaseSnapshot | undefined;
let loaded: Promise<Sqlite> | undefined;
const fileSystem = 'snapshot';

/**
 * Loads SQLite compiled to WebAssembly: Node's own exists only since version 22.13, locks the database and writes next
 * to it.
 */
export function loadSqlite(): Promise<Sqlite> {
  return (loaded ??= import('@sqlite.org/sqlite-wasm').then(async ({ default: start }) => {
    const sqlite = (await start()) as unknown as Sqlite;
    installSnapshots(sqlite);
    return sqlite;
  }));
}

/**
 * Reads a database.
 *
 * @param work synchronous
 * @throws errors of SQLite and of `work`
 */
export function readSnapshot<Result>(
  sqlite: Sqlite,
  snapshot: DatabaseSnapshot,
  work: (database: Database) => Result,
): Result {
  current = snapshot;
  const database = new sqlite.oo1.DB({ filename: 'snapshot', flags: 'r', vfs: fileSystem });
  try {
    return work({
      rows: (query, ...values) => database.selectObjects(query, values.length === 0 ? undefined : values),
    });
  } finally {
    database.close();
    current = undefined;
  }
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
          // SQLite expects zeros after the end of the file.
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
