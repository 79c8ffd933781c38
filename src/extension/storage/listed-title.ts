import { titleOf } from '../../transcripts/typed-title.ts';
import { isTyped, textOf } from '../../compaction/message.ts';

const titleStart = '{"type":"title"';
const lineFeed = 0x0a;
/** Bytes of a file without a title in which the first thing that was said is looked for. */
const longestBeginning = 1 << 18;

/** What a session is called in a list: its newest title that can be read, else the first thing that was said in it. */
export async function titleIn(bytes: Buffer): Promise<string | undefined> {
  return newestTitle(bytes) ?? (await firstWords(bytes));
}

/** Found without parsing all of the file. */
function newestTitle(bytes: Buffer): string | undefined {
  for (let start = bytes.lastIndexOf(titleStart); start >= 0;) {
    if (start === 0 || bytes[start - 1] === lineFeed) {
      const end = bytes.indexOf(lineFeed, start);
      const title = titleOfLine(bytes.toString('utf8', start, end < 0 ? bytes.length : end));
      if (title !== undefined) return title;
    }
    if (start === 0) return undefined;
    start = bytes.lastIndexOf(titleStart, start - 1);
  }
  return undefined;
}

function titleOfLine(line: string): string | undefined {
  try {
    const { title } = JSON.parse(line) as { readonly title?: unknown };
    return typeof title === 'string' ? title : undefined;
  } catch {
    return undefined;
  }
}

async function firstWords(bytes: Buffer): Promise<string | undefined> {
  const { readSession } = await import('../../transcripts/session/session-format.ts');
  const { entries } = readSession(bytes.toString('utf8', 0, longestBeginning));
  for (const entry of entries) {
    if (entry.type === 'message' && isTyped(entry.message)) return titleOf(textOf(entry.message.content));
  }
  return undefined;
}
