import { createBudget } from '../compaction/budget/budget.ts';
import { compact } from '../compaction/service/compact.ts';
import { parseShallow } from '../compaction/text/parse-json.ts';
import { toChatMessage } from '../compaction/messages/message.ts';
import { quotedHistory } from '../compaction/transcript/quoted-history.ts';
import { messagesOf, nextRecordIds, type Transcript } from '../compaction/transcript/transcript.ts';
import type { CompactionRecord } from '../compaction/records/record.ts';
import { defaultStrategyId } from '../compaction/strategies/index.ts';
import { custom } from '../compaction/strategies/custom.ts';
import { resolveOptions } from '../compaction/strategies/contract/options.ts';
import type { Strategy } from '../compaction/strategies/contract/strategy.ts';
import { sum } from '../compaction/tokens/usage.ts';
import { recordsInForce } from '../compaction/transcript/view.ts';
import { summaryLine } from '../insights/export/record-export.ts';
import { choiceOf, type Command, onOff, integerOf, readArguments, UsageError, valued } from './command.ts';
import { createMeter } from './measuring.ts';
import { customStrategy, strategyNamed } from './chosen-strategy.ts';
import { readJsonFile, readInput, readTranscriptInput, readTranscriptText, writeJson } from './files.ts';
import { chooseAnsweringModel, modelOptions, shares, windowOf } from './answering-model.ts';
import {
  isSession,
  lockSession,
  originalsOf,
  type RecordFile,
  viewAfter,
  writeSession,
} from './record-file.ts';
import { isRecord } from '../language/is-record.ts';

export const compactCommand: Command = {
  name: 'compact',
  synopsis:
    'FILE --strategy ID [--custom ./FILE.mjs#EXPORT] [--options JSON] [--window N] [--reserve N] [--target N] [--requirement soft|hard] [--focus TEXT] [--pin INDEX,…] [--protect-first] [--replies FILE] [--base-url URL --model NAME] [--out VIEW.json] [--record RECORD.json] [--session FILE] [--json]',
  summary:
    'Runs one compaction. A session starts from the context its own compactions left; --session appends this one to it.',
  async run(args, io) {
    const { values, files } = readArguments(
      args,
      {
        ...modelOptions,
        strategy: valued,
        custom: valued,
        options: valued,
        reserve: valued,
        target: valued,
        requirement: valued,
        focus: valued,
        pin: valued,
        'protect-first': onOff,
        replies: valued,
        out: valued,
        record: valued,
        session: valued,
        json: onOff,
      },
      ['FILE'],
    );
    const strategy = strategyNamed(values.strategy ?? defaultStrategyId);
    const options = chooseOptions(strategy, values.options);
    checkCustom(strategy, values.custom);
    const named = values.custom ?? moduleIn(strategy, options);
    const window = windowOf(values.window);
    const budget = createBudget({
      window,
      reservedOutput: integerOf('reserve', values.reserve, 0),
      ...shares,
    });
    const requirement = choiceOf('requirement', values.requirement, ['soft', 'hard']) ?? 'soft';
    const target =
      integerOf('target', values.target, 1) ?? (requirement === 'hard' ? budget.trigger : budget.target);
    const replies = values.replies === undefined ? undefined : await readJsonFile(values.replies);
    const model = await chooseAnsweringModel({ ...values, replies }, window);
    const [path = ''] = files;
    await using _lock = await lockSession(values.session);
    const text = values.session === undefined ? '' : await readInput(path);
    const imported =
      values.session === undefined
        ? await readTranscriptInput(path, io)
        : await readTranscriptText(path, text, io);
    const { transcript, tools } = imported;
    if (values.session !== undefined && !isSession(text))
      throw new UsageError('--session requires FILE to be a session.');
    const meter = createMeter('o200k_base');
    const { total } = sum([await meter.measureTools(tools), await meter.measure(transcript.view)]);

    const attempts = await compact(
      {
        view: transcript.view,
        history: quotedHistory(transcript),
        tools,
        pins: choosePins(transcript, values.pin),
        protectFirst: values['protect-first'],
        trigger: { source: 'manual', requirement, tokens: total },
        budget,
        target,
        strategy,
        options,
        focus: values.focus,
        folder: imported.folder,
      },
      {
        meter,
        model: (name) => model(name),
        clock: { now: () => Date.now() },
        nextRecordId: nextRecordIds(transcript),
        ...(named === undefined ? {} : { customStrategy: customStrategy(named) }),
      },
      io.signal,
    );
    const record: CompactionRecord = attempts.at(-1) ?? attempts[0];
    const file: RecordFile = { ...record, originals: originalsOf(imported) };
    if (values.out !== undefined) await writeJson(values.out, viewAfter(file).map(toChatMessage));
    if (values.record !== undefined) await writeJson(values.record, file);
    if (values.session !== undefined) {
      const entries = attempts.map((attempt) => ({ type: 'compaction', record: attempt }) as const);
      await writeSession(values.session, { path, text, transcript }, entries);
    }

    if (values.json) io.print(JSON.stringify(record, null, 2));
    else io.print(summaryLine(record, (id) => id));
    for (const { reason } of attempts.slice(0, -1)) io.note(reason?.message ?? '');
    for (const warning of record.warnings) io.note(warning);
    if (record.reason !== undefined) io.note(record.reason.message);
    return record.status === 'applied' || record.status === 'unchanged' ? 0 : 1;
  },
};

/** Returns the module named by the options of the strategy `custom`. */
function moduleIn(strategy: Strategy, { module }: Readonly<Record<string, unknown>>): string | undefined {
  const isNamed = strategy.id === custom.id && typeof module === 'string' && module.trim() !== '';
  return isNamed ? module.trim() : undefined;
}

/** @throws {UsageError} if a module is given with a strategy other than `custom` */
function checkCustom(strategy: Strategy, named: string | undefined): void {
  if (named === undefined || strategy.id === custom.id) return;
  throw new UsageError('--custom needs --strategy custom.');
}

function chooseOptions(strategy: Strategy, json: string | undefined): Readonly<Record<string, unknown>> {
  if (json === undefined) return resolveOptions(strategy.options, {}).options;
  const given = parseShallow(json)?.value;
  if (given === undefined) {
    throw new UsageError(`--options must be a JSON object, for example '{"preserveMessages":4}'.`);
  }
  if (!isRecord(given)) {
    throw new UsageError('--options must be a JSON object.');
  }
  const { options, problems } = resolveOptions(strategy.options, given);
  const [problem] = problems;
  if (problem !== undefined)
    throw new UsageError(`--options for ${strategy.id}: ${problem.sentence.english}`);
  return options;
}

/**
 * Returns the ids of the pinned messages.
 * @param list comma-separated positions in the file, from 0
 * @throws {UsageError} for a message that is not in the file, or that an earlier compaction removed from context
 */
function choosePins(transcript: Transcript, list: string | undefined): ReadonlySet<string> {
  const pins = new Set(transcript.pins);
  const messages = messagesOf(transcript);
  const records = recordsInForce(transcript.entries);
  for (const text of list?.split(',') ?? []) {
    const message = messages[integerOf('pin', text, 0) ?? 0];
    if (message === undefined) {
      throw new UsageError(`--pin ${text}: the transcript has messages 0 to ${messages.length - 1}.`);
    }
    if (records.length > 0 && !transcript.view.includes(message)) {
      throw new UsageError(
        `--pin ${text}: an earlier compaction removed that message from context; undo that compaction first.`,
      );
    }
    pins.add(message.id);
  }
  return pins;
}
