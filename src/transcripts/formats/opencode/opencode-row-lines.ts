import { isRecord } from '../../../language/is-record.ts';
import { parseShallow } from '../../../compaction/text/parse-json.ts';
import type { EventLines, Fields } from '../../reading/fields.ts';

/** Maximum levels of sub-agents. */
const deepest = 4;

/**
 * Assembles a session from rows of opencode's database. Each row is a line with `table`, `id` and `data`. A later
 * line of a row replaces the earlier line. The first session is the main one; others are sub-agents'.
 *
 * @returns the session in the form of opencode's export, with `children`; undefined if no line is a session
 */
export function sessionOfRows({ events }: EventLines): Fields | undefined {
  const tables: Readonly<Record<'session' | 'message' | 'part', Map<string, Fields>>> = {
    session: new Map(),
    message: new Map(),
    part: new Map(),
  };
  for (const { fields } of events) {
    const { table, id } = fields;
    if (typeof id !== 'string' || typeof table !== 'string' || !Object.hasOwn(tables, table)) continue;
    tables[table as keyof typeof tables].set(id, fields);
  }
  const [root] = tables.session.keys();
  const partsOf = grouped(tables.part.values(), 'message_id', ({ id }) => String(id));
  const messagesOf = grouped(tables.message.values(), 'session_id', (row) =>
    orderOf(row['time_created'], row),
  );
  const childrenOf = grouped(
    [...tables.session.values()].map(({ id, data }) => ({ ...(isRecord(data) ? data : {}), id })),
    'parent_id',
    (row) => orderOf(row['time_created'], row),
  );
  const sessionOf = (id: string, depth: number): Fields => {
    const data = tables.session.get(id)?.['data'];
    const info = isRecord(data) ? data : {};
    const messages = (messagesOf.get(id) ?? []).map((message) => ({
      info: infoOf(message),
      parts: (partsOf.get(message['id']) ?? []).map(infoOf),
    }));
    const children = depth === 0 ? [] : (childrenOf.get(id) ?? []);
    return {
      info: { ...info, parentID: info['parent_id'], revert: revertIn(info['revert']) },
      messages,
      children: children.map((child) => sessionOf(String(child['id']), depth - 1)),
    };
  };
  return root === undefined ? undefined : sessionOf(root, deepest);
}

function infoOf({ id, data }: Fields): Fields {
  return { ...(isRecord(data) ? data : {}), id };
}

/** Parses the column `revert`, which is JSON text. */
function revertIn(revert: unknown): unknown {
  return typeof revert === 'string' ? parseShallow(revert)?.value : revert;
}

/** Returns a sort key of a time and an id. */
function orderOf(time: unknown, { id }: Fields): string {
  return `${String(typeof time === 'number' ? time : 0).padStart(16, '0')} ${String(id)}`;
}

/** Groups rows by the value of a column, and sorts each group. */
function grouped(
  rows: Iterable<Fields>,
  column: string,
  orderOfRow: (row: Fields) => string,
): ReadonlyMap<unknown, readonly Fields[]> {
  const groups = new Map<unknown, { readonly row: Fields; readonly order: string }[]>();
  for (const row of rows) {
    const group = groups.get(row[column]);
    const one = { row, order: orderOfRow(row) };
    if (group === undefined) groups.set(row[column], [one]);
    else group.push(one);
  }
  return new Map(
    [...groups].map(([value, group]) => [
      value,
      group.toSorted((one, other) => (one.order < other.order ? -1 : 1)).map(({ row }) => row),
    ]),
  );
}
