import type { Message } from '../../src/compaction/messages/message.ts';

/**
 * A session like a coding agent's: requests, replies, read and changed files, commands with logs and errors,
 * partly in Chinese. It is always the same, so that runs can be compared.
 */
export function longSession(messages: number): readonly Message[] {
  const pick = randomPicks();
  const session: Message[] = [message(0, 'system', 'harness', 'You are a coding agent. Work on the store.')];
  while (session.length < messages) {
    const index = session.length;
    const step = Math.floor(index / 3);
    if (step % 12 === 0) session.push(message(index, 'user', 'person', requestOf(step, pick)));
    const callId = `call-${step}`;
    const file = `src/${pick(words)}/${pick(words)}-${step % 90}.ts`;
    const isRun = step % 3 === 1;
    const isEdit = step % 7 === 3;
    const name = isRun ? 'run_command' : isEdit ? 'edit_file' : 'read_file';
    const given = isRun
      ? { command: `npm test -- --grep "${pick(words)} ${step % 40}"` }
      : isEdit
        ? { path: file, old_text: code(step, 6, pick), new_text: code(step + 1, 8, pick) }
        : { path: file };
    session.push({
      ...message(session.length, 'assistant', 'model', sayings(step, pick)),
      tool_calls: [{ id: callId, type: 'function', function: { name, arguments: JSON.stringify(given) } }],
    });
    session.push({
      ...message(
        session.length,
        'tool',
        'tool',
        isRun ? log(step, pick) : isEdit ? 'Edited.' : code(step, 120, pick),
      ),
      tool_call_id: callId,
    });
  }
  return session;
}

function message(index: number, role: Message['role'], origin: Message['origin'], content: string): Message {
  const createdAt = new Date(1_760_000_000_000 + index * 1_000).toISOString();
  return { role, content, id: `m${index}`, origin, createdAt };
}

/** Names as in programs. As in real code, a few are frequent and most are rare. */
const words = Array.from({ length: 2_000 }, (_, index) => {
  const syllables = ['ka', 'sto', 're', 'lin', 'mo', 'que', 'ta', 'ver', 'ix', 'pra', 'dun', 'sel', 'fo'];
  const at = [index % 13, Math.floor(index / 13) % 13, Math.floor(index / 169)];
  return at.map((place) => syllables[place]).join('');
});

type Pick = (from: readonly string[]) => string;

function requestOf(step: number, pick: Pick): string {
  if (step % 36 === 0) return `请检查${pick(words)}的写入，恢复时不要丢失记录。第${step}次运行后报告结果。`;
  return `Please make the ${pick(words)} of run ${step} survive a crash. Never delete the ${pick(words)}. Use the ${pick(words)} instead of the ${pick(words)}. The port is ${3000 + (step % 50)}.`;
}

function sayings(step: number, pick: Pick): string {
  return `I look at the ${pick(words)} first, because the ${pick(words)} of step ${step} depends on it. Then the ${pick(words)} follows.`;
}

function code(step: number, lines: number, pick: Pick): string {
  return Array.from({ length: lines }, (_, line) =>
    line % 9 === 0
      ? `/** Opens the ${pick(words)} and reads ${line} entries. */`
      : `export const ${pick(words)}${line} = async (${pick(words)}: string) => read(${pick(words)}, ${(step * line) % 977});`,
  ).join('\n');
}

function log(step: number, pick: Pick): string {
  const lines = Array.from({ length: 60 }, (_, line) =>
    JSON.stringify({
      time: 1_760_000_000 + step * 60 + line,
      level: 'info',
      on: pick(words),
      took: (step * line) % 701,
    }),
  );
  const failure =
    step % 4 === 1 ? [`src/${pick(words)}.ts:${step}:7: error: ${pick(words)} is not open`] : [];
  return [...lines, ...failure, `exit code ${failure.length}`].join('\n');
}

/** Picks with a linear congruential generator, so that the session is the same on every machine. */
function randomPicks(): Pick {
  let state = 1;
  return (from) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fff_ffff;
    const share = (state >>> 8) / 0x80_0000;
    return from[Math.floor(share * share * from.length)] ?? '';
  };
}
