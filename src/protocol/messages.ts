import { isRecord } from '../language/is-record.ts';

/**
 * Messages between a page and the extension. A table declares each message once, by the guards of its fields;
 * types, parser and handlers are derived from the table. A message without a guard or a handler does not compile.
 */

/** Reads the value of a field; undefined if the value is invalid. */
export type Guard<Value> = (value: unknown) => Value | undefined;

/** A field that a message may leave out. */
export interface OptionalField<Value> {
  readonly guard: Guard<Value>;
  /** `refuse`: an invalid value makes the message invalid. `omit`: the value counts as left out. */
  readonly otherwise: 'refuse' | 'omit';
}

export type MessageFields = Readonly<Record<string, Guard<unknown> | OptionalField<unknown>>>;

export type MessageTable = Readonly<Record<string, MessageFields>>;

type ValueOf<Field> =
  Field extends Guard<infer Value> ? Value : Field extends OptionalField<infer Value> ? Value : never;

type OptionalNames<Of extends MessageFields> = {
  [Name in keyof Of]: Of[Name] extends OptionalField<unknown> ? Name : never;
}[keyof Of];

type Flat<Type> = { [Name in keyof Type]: Type[Name] };

/** The values of fields, as returned by their guards. */
export type FieldValues<Of extends MessageFields> = Flat<
  {
    readonly [Name in Exclude<keyof Of, OptionalNames<Of>>]: ValueOf<Of[Name]>;
  } & { readonly [Name in OptionalNames<Of>]?: ValueOf<Of[Name]> | undefined }
>;

export type MessageOf<Table extends MessageTable, Name extends keyof Table = keyof Table> = {
  [Each in Name]: Flat<{ readonly type: Each } & FieldValues<Table[Each]>>;
}[Name];

/** A handler for every message of a table, optionally with further arguments. */
export type Handlers<Table extends MessageTable, Result = void, Context extends readonly unknown[] = []> = {
  readonly [Name in keyof Table]: (message: MessageOf<Table, Name>, ...context: Context) => Result;
};

export function messages<const Table extends MessageTable>(table: Table): Table {
  return table;
}

/**
 * Reads a message from a page or the extension. Pages show untrusted text, so the result contains only the fields that
 * its table names; undefined if the message is not in the table or lacks a field.
 */
export function parseMessage<Table extends MessageTable>(
  table: Table,
  value: unknown,
): MessageOf<Table> | undefined {
  if (!isRecord(value)) return undefined;
  const { type } = value;
  if (typeof type !== 'string' || !Object.hasOwn(table, type)) return undefined;
  const values = readFields(table[type] ?? {}, value);
  return values && ({ type, ...values } as MessageOf<Table>);
}

/** Reads fields from an object; undefined if one is invalid. */
export function readFields<Of extends MessageFields>(
  fields: Of,
  from: Readonly<Record<string, unknown>>,
): FieldValues<Of> | undefined {
  const values: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(fields)) {
    const given = from[name];
    const isOptional = typeof field !== 'function';
    if (isOptional && given === undefined) continue;
    const value = isOptional ? field.guard(given) : field(given);
    if (value !== undefined) values[name] = value;
    else if (!isOptional || field.otherwise === 'refuse') return undefined;
  }
  return values as FieldValues<Of>;
}

/** Passes a message to its handler. */
export function dispatch<Table extends MessageTable, Result, Context extends readonly unknown[]>(
  handlers: Handlers<Table, Result, Context>,
  message: MessageOf<Table>,
  ...context: Context
): Result {
  const handle = handlers[message.type] as (message: MessageOf<Table>, ...context: Context) => Result;
  return handle(message, ...context);
}

/** Handlers that pass every message of a table to one function. */
export function forwarded<Table extends MessageTable, Result, Context extends readonly unknown[] = []>(
  table: Table,
  handle: (message: MessageOf<Table>, ...context: Context) => Result,
): Handlers<Table, Result, Context> {
  const handlers = Object.keys(table).map((name) => [name, handle] as const);
  return Object.fromEntries(handlers) as unknown as Handlers<Table, Result, Context>;
}
