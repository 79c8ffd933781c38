import { surroundingsHere } from '../agent/files/surroundings.ts';
import { OfflineModel } from '../agent/offline/offline-model.ts';
import { startProxy } from '../bridge/proxy/proxy-server.ts';
import { Recorder } from '../bridge/proxy/recorder.ts';
import { upstreamOf } from '../bridge/proxy/upstream.ts';
import { none } from '../compaction/strategies/none.ts';
import { resolveOptions } from '../compaction/strategies/contract/options.ts';
import { stateFolder } from '../transcripts/session/state-folder.ts';
import { wires } from '../wire/wires.ts';
import { shares, windowOf } from './answering-model.ts';
import { strategyNamed } from './chosen-strategy.ts';
import { type CommandIo, integerOf, onOff, readArguments, UsageError, valued } from './command.ts';
import { createMeter } from './measuring.ts';
import { ended, newToken } from './serving.ts';

/**
 * Passes requests of any client on to a provider and records them, until the user interrupts the program or the
 * program that started it closes its standard input.
 *
 * @throws {UsageError} for wrong arguments
 * @throws {SentenceError} if the port is in use
 */
export async function runProxyCommand(args: readonly string[], io: CommandIo): Promise<void> {
  const { values } = readArguments(
    args,
    {
      upstream: valued,
      port: valued,
      compact: valued,
      window: valued,
      recall: onOff,
      'no-bodies': onOff,
      'with-parent': onOff,
    },
    [],
  );
  if (values.upstream === undefined) {
    throw new UsageError('--upstream must name the provider, for example https://api.anthropic.com.');
  }
  if (values.compact === undefined && values.window !== undefined) {
    throw new UsageError('--window needs --compact STRATEGY.');
  }
  if (values.compact === undefined && values.recall) {
    throw new UsageError('--recall needs --compact STRATEGY.');
  }
  const upstream = upstreamOf(values.upstream);
  const isCompacting = values.compact !== undefined;
  if (isCompacting && values['no-bodies'])
    throw new UsageError('--compact records its compactions: leave out --no-bodies.');
  const strategy = isCompacting ? strategyNamed(values.compact ?? '') : none;
  const window = windowOf(values.window);
  const { options } = resolveOptions(strategy.options, {});
  const model = new OfflineModel({ window });
  const recorder = values['no-bodies']
    ? undefined
    : new Recorder({
        recordings: `${stateFolder(surroundingsHere())}/wire`,
        workingFolder: process.cwd(),
        folder: () => process.cwd(),
        meter: createMeter('o200k_base'),
        settings: () => ({
          strategy,
          options,
          budget: { window, ...shares },
          mode: isCompacting ? 'auto' : 'off',
          protectFirst: true,
        }),
        models: () => Promise.resolve({ chat: model, named: () => model }),
        now: () => Date.now(),
        canRecall: values.recall,
        ...(values['with-parent'] && { begun: io.print }),
        log: io.log,
      });
  const proxy = await startProxy({
    upstream,
    port: integerOf('port', values.port, 0) ?? 0,
    token: newToken(),
    wires,
    observe: (start) => (start.asks === 'reply' ? recorder?.observe(start) : undefined),
    ...(isCompacting &&
      recorder !== undefined && { rewrite: (start, body) => recorder.rewrite(start, body) }),
    log: io.log,
  });
  io.print(proxy.baseUrl);
  await ended(io.signal, values['with-parent']);
  await proxy.close();
  await recorder?.close();
}
