import { shortenedLines } from '../../src/bridge/hooks/shortened-lines.ts';
import { extractLedger } from '../../src/compaction/ledger/extract.ts';
import { messagesOf } from '../../src/compaction/transcript/transcript.ts';
import { readTranscript as importTranscript } from '../../src/library/foreign-transcripts.ts';
import { carriers, claudeCode, claudeUser, lines, text } from '../support/agents/carriers.ts';
import { foreignWord, orders } from '../support/injection/orders.ts';
import { fault } from './support/fault.ts';
import { ImportError } from '../../src/transcripts/reading/transcript-format.ts';

const log = (bytes: number) => 'A line of a log.\n'.repeat(bytes / 17);

/** A session with much typed text before the agent's additions, so that their beginning is in the middle. */
function withMuchTyped(session: string, bytes: number): string {
  const much = JSON.stringify(log(bytes)).slice(1, -1);
  return session.replaceAll('Tidy up the reader.', () => `Tidy up the reader.\\n${much}`);
}

/** Typed words and a reminder next to the result of a tool. */
const besideResult = (words: string) =>
  claudeCode(
    {
      type: 'assistant',
      message: {
        id: 'q',
        role: 'assistant',
        content: [{ type: 'tool_use', id: 't1', name: 'x', input: {} }],
      },
    },
    claudeUser([
      { type: 'tool_result', tool_use_id: 't1', content: 'ok' },
      text(`Tidy up the reader.\n<system-reminder>\n${words}\n</system-reminder>`),
    ]),
  );
/** A request after a selection that has the heading of a request. */
const behindSelection = (words: string) =>
  lines(
    { type: 'session_meta', payload: { id: 'x', cwd: '/home/me/proj' } },
    {
      type: 'response_item',
      payload: {
        type: 'message',
        role: 'user',
        content: [
          {
            type: 'input_text',
            text: `# Context from my IDE setup:\n\n## My request for Codex:\n${words}\n## My request for Codex:\nTidy up the reader.\n${log(60_000)}`,
          },
        ],
      },
    },
  );

/** Reads a session as hooks do. Telemetry whose messages were cut is no JSON any more, and is refused. */
function readCut(session: string): ReturnType<typeof importTranscript> | undefined {
  try {
    return importTranscript(shortenedLines(Buffer.from(session)));
  } catch (error) {
    if (error instanceof ImportError && session.includes('"gen_ai.input.messages"')) return undefined;
    throw error;
  }
}

fault('hooks that read long messages in part do not mistake foreign text for typed words', (count) => {
  const written = Object.entries(carriers).map(([name, { write }]) => [name, write] as const);
  const all = [
    ...written,
    ['beside a result', besideResult],
    ['behind a selection', behindSelection],
  ] as const;
  for (const [name, write] of all) {
    for (const [before, typed] of [
      ['', 0],
      [log(5_000), 1_700],
      [log(15_000), 30_600],
      [log(45_000), 30_600],
    ] as const) {
      for (const words of [`${before}${orders.rule}`, `${orders.rule}\n${before}`]) {
        const session = withMuchTyped(write(words), typed);
        if (!session.startsWith('{')) continue;
        count.tried();
        const read = readCut(session);
        if (read === undefined) continue;
        const { requests, constraints, decisions } = extractLedger(messagesOf(read.transcript));
        const after = JSON.stringify({ requests, constraints, decisions });
        if (after.includes(foreignWord)) count.harmed(`${name}, ${typed}: ${after.slice(0, 200)}`);
      }
    }
  }
});
