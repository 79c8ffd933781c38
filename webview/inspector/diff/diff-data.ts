import type { MessageOf } from '../../../src/protocol/messages.ts';
import type { DiffNotification, diffNotifications } from '../../../src/protocol/inspector-compactions.ts';
import type { DiffRowView, MessageView } from '../../../src/protocol/inspector-records.ts';
import type { InspectorRequest } from '../../../src/protocol/inspector.ts';
import type { MessageMenu } from '../by-hand/message-menu.ts';

/** The text of a message before and after a compaction. */
export interface Texts {
  readonly before: string;
  readonly after?: string | undefined;
}

export type FoundMatches = MessageOf<typeof diffNotifications, 'diff-matches'>;

/** The answers of the extension about a diff. */
export interface DiffData {
  /** Undefined until the rows arrive. */
  readonly rows?: readonly DiffRowView[];
  /** Index of a row → all its sources. */
  readonly sources: ReadonlyMap<number, readonly MessageView[]>;
  /** Id of a message → its texts. */
  readonly texts: ReadonlyMap<string, Texts>;
  readonly found?: FoundMatches;
}

export const noDiffData: DiffData = { sources: new Map(), texts: new Map() };

/** The data after an answer. Rows that are as before stay the same objects; the sources of others are forgotten. */
export function receiveDiff(data: DiffData, answer: DiffNotification): DiffData {
  switch (answer.type) {
    case 'diff': {
      const rows = answer.rows.map((row) => {
        const known = data.rows?.[row.index];
        return known !== undefined && JSON.stringify(known) === JSON.stringify(row) ? known : row;
      });
      const sources = [...data.sources].filter(([index]) => rows[index] === data.rows?.[index]);
      return { ...data, rows, sources: new Map(sources) };
    }
    case 'sources':
      return { ...data, sources: new Map(data.sources).set(answer.index, answer.sources) };
    case 'texts':
      return { ...data, texts: new Map(data.texts).set(answer.messageId, answer) };
    case 'diff-matches':
      return { ...data, found: answer };
  }
}

/** Services and marks that all lines of a diff share. */
export interface DiffContext {
  readonly recordId: string;
  /** Id of a message → its texts, if they have arrived. */
  readonly texts: ReadonlyMap<string, Texts>;
  /** False in a sub-agent, and for an undone compaction, whose messages are all restored. */
  readonly canRestore: boolean;
  /** False if the session is read-only. */
  readonly canPin: boolean;
  readonly menu: MessageMenu | undefined;
  /** Key of the line under the pointer or with the focus, which shows its actions. */
  readonly pointed: string | undefined;
  readonly post: (request: InspectorRequest) => void;
  readonly toggle: (key: string) => void;
  /** Scrolls to another line. */
  readonly goTo: (key: string) => void;
}
