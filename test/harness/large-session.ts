/** Number of messages in the session, and its minimum number of tokens. */
export const largeSession = { messages: 2_000, tokens: 1_000_000 };

export const largeSessionTitle = 'Read the whole library';
/** Lines of each result. Results hold nearly all tokens. */
const linesOfResult = 66;

/** A session of an agent that has read very many files, as OpenAI chat messages in JSON. */
export function largeSessionText(): string {
  const rounds = Math.ceil((largeSession.messages - 1) / 3);
  const messages = [
    { role: 'system', content: 'You read.' },
    ...Array.from({ length: rounds }, (_, round) => messagesOfRound(round)).flat(),
  ];
  return JSON.stringify({ messages: messages.slice(0, largeSession.messages) });
}

function messagesOfRound(round: number): readonly object[] {
  const id = `call${round}`;
  const path = `library/book-${round}.txt`;
  const call = {
    id,
    type: 'function',
    function: { name: 'read_file', arguments: JSON.stringify({ path }) },
  };
  const content = Array.from(
    { length: linesOfResult },
    (_, line) =>
      `Book ${round} says on page ${line} that there is a shelf in the hall near the door for all of them\n`,
  ).join('');
  return [
    { role: 'user', content: round === 0 ? largeSessionTitle : `Read book ${round}` },
    { role: 'assistant', content: null, tool_calls: [call] },
    { role: 'tool', tool_call_id: id, content },
  ];
}
