import { surroundingsHere } from '../agent/files/surroundings.ts';
import { fullnessLines } from '../bridge/server/fullness-text.ts';
import { agentLimitsIn } from '../bridge/settings/agent-settings.ts';
import { factsOfModel } from '../compaction/budget/model-table.ts';
import { kinds, type Message, toChatMessage } from '../compaction/messages/message.ts';
import { encodingNames } from '../compaction/tokens/token-counter.ts';
import { sum } from '../compaction/tokens/usage.ts';
import { sameToolsThroughout } from '../compaction/transcript/transcript-entry.ts';
import { messagesOf, transcriptOf } from '../compaction/transcript/transcript.ts';
import { format } from '../insights/export/record-export.ts';
import {
  fullnessEvidenceOf,
  type FullnessKnowledge,
  fullnessOf,
  modelOf,
} from '../insights/context-fullness.ts';
import { handoffLimit, handoffOf } from '../insights/handoff/handoff.ts';
import { reportedOf, type ReportedSession } from '../insights/session-cost.ts';
import { createTimeline } from '../insights/session-timeline.ts';
import { addForeignCompactions } from '../transcripts/foreign-compactions.ts';
import { formatIds, formerFormatIds } from '../transcripts/all-formats.ts';
import { knownAgent } from '../transcripts/found-agents.ts';
import { sessionName, titleOf } from '../transcripts/reading/typed-title.ts';
import { choiceOf, type Command, onOff, integerOf, readArguments, valued } from './command.ts';
import { readTranscriptInput, writeMessages, writeText } from './files.ts';
import { createMeter } from './measuring.ts';

export const countCommand: Command = {
  name: 'count',
  synopsis: `FILE [--encoding ${encodingNames.join('|')}] [--json]`,
  summary: 'Counts the tokens of a transcript by kind.',
  async run(args, io) {
    const { values, files } = readArguments(args, { encoding: valued, json: onOff }, ['FILE']);
    const encoding = choiceOf('encoding', values.encoding, encodingNames) ?? encodingNames[0];
    const imported = await readTranscriptInput(files[0] ?? '', io);
    const { transcript, tools, window } = imported;
    const meter = createMeter(encoding);
    const { total, byKind } = sum([await meter.measureTools(tools), await meter.measure(transcript.view)]);
    const messages = transcript.view.length;
    // Requests are counted as sent by the agent, after its own compactions.
    const entries = await addForeignCompactions(imported, meter);
    const { calls } = await createTimeline(meter, sameToolsThroughout(tools))(entries);
    const summed = reportedOf(calls);
    const reported = summed && { ...summed, ...(window === undefined ? {} : { window }) };
    const filled = { ...imported, transcript: transcriptOf(entries) };
    const { id: agent, ...ofAgent } = knownAgent(imported, (model) => factsOfModel(model));
    const limitsOf = agentLimitsIn(surroundingsHere());
    const knowledge: FullnessKnowledge = {
      ...ofAgent,
      set: await limitsOf({ agent, model: modelOf(messagesOf({ entries })), folder: imported.folder }),
    };
    const context = fullnessOf(await fullnessEvidenceOf(filled, knowledge, calls, meter));
    if (values.json) io.print(JSON.stringify({ total, byKind, messages, reported, context }, null, 2));
    else {
      const used = kinds.filter((kind) => byKind[kind] > 0);
      const lines = [...used.map((kind) => [kind, byKind[kind]] as const), ['total', total] as const];
      io.print(lines.map(([name, tokens]) => `${name.padEnd(12)}${format(tokens).padStart(12)}`).join('\n'));
      io.print(`${format(messages)} messages, ${encoding}`);
      if (reported !== undefined) io.print(reportLines(reported).join('\n'));
      const [sizes, evidence] = fullnessLines(context, format);
      io.print(`context now: ${sizes}\n  ${evidence}`);
    }
    return 0;
  },
};

function reportLines({ models, requests, allRequests, ...reported }: ReportedSession): readonly string[] {
  const { inputTokens, cachedInputTokens: cached, cacheWriteTokens: written, outputTokens, last } = reported;
  const cache = [
    ...(cached === undefined ? [] : [`${format(cached)} read from the cache`]),
    ...(written === undefined ? [] : [`${format(written)} written to it`]),
  ];
  const { inputTokens: lastInput, countedTokens, notInFileTokens } = last;
  const difference =
    notInFileTokens > 0
      ? `; ${format(notInFileTokens)} are not in the file (system prompt, tool schemas)`
      : '';
  return [
    `reported by ${models.length === 0 ? 'an unnamed model' : models.join(', ')} for ${format(requests)} of ${format(allRequests)} requests:`,
    `  input ${format(inputTokens)}${cache.length === 0 ? '' : ` (${cache.join(', ')})`}, output ${format(outputTokens)}`,
    `  last request: ${format(lastInput)} reported, ${format(countedTokens)} counted${difference}`,
  ];
}

export const importCommand: Command = {
  name: 'import',
  synopsis: `FILE [--format auto|${formatIds.join('|')}] [--conversation ID] [--out FILE]`,
  summary: 'Writes a transcript as OpenAI chat messages.',
  async run(args, io) {
    const { values, files } = readArguments(args, { format: valued, conversation: valued, out: valued }, [
      'FILE',
    ]);
    const format = choiceOf('format', values.format, ['auto', ...formatIds, ...formerFormatIds]) ?? 'auto';
    const { transcript, tools, compactions, window, others } = await readTranscriptInput(
      files[0] ?? '',
      io,
      format,
      values.conversation,
    );
    const document = {
      messages: messagesOf(transcript).map(withReport),
      ...(tools.length === 0 ? {} : { tools }),
      ...(compactions.length === 0 ? {} : { compactions }),
      ...(window === undefined ? {} : { window }),
    };
    for (const { kind, id, opening = '' } of others ?? []) {
      io.note(`Also in the file: ${kind} ${id}, “${titleOf(opening)}” (--conversation ${id}).`);
    }
    await writeMessages(document, { out: values.out, count: document.messages.length }, io);
    return 0;
  },
};

/** Adds the model and the usage that its provider reported, if the file has them. */
function withReport(message: Message) {
  const { modelId: model, usage } = message;
  return {
    ...toChatMessage(message),
    ...(model === undefined ? {} : { model }),
    ...(usage === undefined ? {} : { usage }),
  };
}

export const handoffCommand: Command = {
  name: 'handoff',
  synopsis: 'FILE [--note TEXT] [--window N] [--out FILE.md]',
  summary: 'Writes a handoff for continuing a session elsewhere, without a model.',
  async run(args, io) {
    const { values, files } = readArguments(args, { note: valued, window: valued, out: valued }, ['FILE']);
    const { transcript, folder, window } = await readTranscriptInput(files[0] ?? '', io);
    const messages = messagesOf(transcript);
    const meter = createMeter('o200k_base');
    const title = sessionName(messages, 'a session');
    const limit = handoffLimit(integerOf('window', values.window, 1_000) ?? window);
    const text = await handoffOf({ title, messages, folder, note: values.note }, limit, (texts) =>
      meter.countTexts(texts),
    );
    if (text === undefined) {
      io.note('Nothing was said in this session, so there is nothing to hand off.');
      return 1;
    }
    if (values.out === undefined) io.print(text.trimEnd());
    else await writeText(values.out, text);
    return 0;
  },
};
