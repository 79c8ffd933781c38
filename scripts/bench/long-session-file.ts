import { sessionVersion } from '../../src/transcripts/session/session-event.ts';
import { longSession } from './long-session.ts';

/** A session as its file has it, of a number of bytes or a few more. */
export function longSessionFile(id: string, bytes: number): string {
  const header = { type: 'session', version: sessionVersion, id, createdAt: '2026-01-02T03:04:05.000Z' };
  const lines = [JSON.stringify(header)];
  const messages = longSession(1_000);
  for (let [size, round] = [0, 0]; size < bytes; round++) {
    for (const message of messages) {
      const line = JSON.stringify({
        type: 'message',
        message: { ...message, id: `r${round}-${message.id}` },
      });
      lines.push(line);
      size += Buffer.byteLength(line) + 1;
      if (size >= bytes) break;
    }
  }
  return `${lines.join('\n')}\n`;
}
