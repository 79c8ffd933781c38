import { loopbackServer, type LoopbackServer } from '../../support/loopback-server.ts';

/** A message of a request as the server receives it. */
export interface SentMessage {
  readonly role: string;
  readonly content: unknown;
  readonly tool_call_id?: string;
  readonly tool_calls?: readonly { readonly id: string }[];
}

export interface ScriptedAgent extends LoopbackServer {
  /** The messages of each request, oldest first. */
  readonly sent: readonly (readonly SentMessage[])[];
}

/** A chat completions server whose model reads the files `part-1.txt`, `part-2.txt`, …, one a call, and then answers. */
export async function scriptedAgent(files: number, answer: string): Promise<ScriptedAgent> {
  const sent: SentMessage[][] = [];
  const server = await loopbackServer((_request, response) => {
    const body = JSON.parse(server.requests.at(-1)!.body) as {
      readonly model: string;
      readonly messages: SentMessage[];
      readonly tools: readonly { readonly function: { readonly name: string } }[];
    };
    sent.push(body.messages);
    const number = sent.length;
    const isDone = number > files;
    const call = {
      id: `call_${number}`,
      type: 'function',
      function: {
        name: body.tools[0]!.function.name,
        arguments: JSON.stringify({ name: `part-${number}.txt` }),
      },
    };
    const message = {
      role: 'assistant',
      content: isDone ? answer : null,
      ...(!isDone && { tool_calls: [call] }),
    };
    const completion = {
      id: `completion_${number}`,
      object: 'chat.completion',
      created: 0,
      model: body.model,
      choices: [{ index: 0, message, finish_reason: isDone ? 'stop' : 'tool_calls' }],
    };
    response.setHeader('content-type', 'application/json').end(JSON.stringify(completion));
  });
  return { ...server, sent };
}
