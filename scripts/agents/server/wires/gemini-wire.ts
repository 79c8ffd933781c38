import { geminiRules } from '../rules/gemini-rules.ts';
import { signatureOf } from '../rules/rules.ts';
import {
  type DeclaredTool,
  eventText,
  fieldsOf,
  recordsIn,
  type SentMessage,
  stringIn,
  textsIn,
  type Wire,
} from './wire.ts';

/** Google's `generateContent` protocol. */
export const geminiWire: Wire = {
  id: 'generateContent',
  rules: geminiRules,
  accepts: (path) => /:(?:stream)?generateContent/i.test(path),
  read(body) {
    const system = textsIn(fieldsOf(body['systemInstruction'])['parts']);
    return {
      tools: recordsIn(body['tools'])
        .flatMap(({ functionDeclarations }) => recordsIn(functionDeclarations))
        .map((declared): DeclaredTool => {
          const schema = fieldsOf(declared['parametersJsonSchema'] ?? declared['parameters']);
          return { name: stringIn(declared['name']), schema, declared };
        }),
      messages: [
        ...(system.length === 0 ? [] : [{ role: 'system', texts: system, calls: [] } satisfies SentMessage]),
        ...recordsIn(body['contents']).flatMap(({ role, parts }) => messagesOf(stringIn(role), parts)),
      ],
    };
  },
  answer({ thought, text, call }, { path, usage }) {
    const parts = [
      ...(thought === undefined ? [] : [{ text: thought, thought: true }]),
      ...(text === undefined ? [] : [{ text }]),
      ...(call === undefined
        ? []
        : [
            {
              functionCall: { id: call.id, name: call.tool.name, args: call.input },
              ...(thought !== undefined && { thoughtSignature: signatureOf(call.tool.name) }),
            },
          ]),
    ];
    const whole = {
      candidates: [{ index: 0, content: { role: 'model', parts }, finishReason: 'STOP' }],
      usageMetadata: {
        promptTokenCount: usage.input,
        candidatesTokenCount: usage.output,
        totalTokenCount: usage.input + usage.output,
      },
      modelVersion: /models\/([^:/]+):/.exec(path)?.[1],
    };
    return path.includes(':stream') ? { events: [eventText(whole)] } : { json: whole };
  },
};

/** Results are parts of the user's content. Each part becomes a tool message. */
function messagesOf(role: string, content: unknown): readonly SentMessage[] {
  const parts = recordsIn(content);
  const results = parts
    .filter(({ functionResponse }) => functionResponse !== undefined)
    .map(({ functionResponse }): SentMessage => {
      const response = fieldsOf(fieldsOf(functionResponse)['response']);
      return { role: 'tool', texts: textsIn(response['output'] ?? response), calls: [] };
    });
  const calls = parts
    .filter(({ functionCall }) => functionCall !== undefined)
    .map(({ functionCall }) => {
      const { name, args } = fieldsOf(functionCall);
      return { name: stringIn(name), input: JSON.stringify(args ?? {}) };
    });
  const texts = textsIn(content);
  if (texts.length + calls.length === 0) return results;
  return [...results, { role: role === 'model' ? 'assistant' : 'user', texts, calls }];
}
