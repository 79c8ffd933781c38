import { createMeter } from '../../src/cli/measuring.ts';
import { OfflineModel } from '../../src/agent/offline/offline-model.ts';
import { startProxy } from '../../src/bridge/proxy/proxy-server.ts';
import { Recorder } from '../../src/bridge/proxy/recorder.ts';
import { strategyNamed } from '../../src/cli/chosen-strategy.ts';
import { resolveOptions } from '../../src/compaction/strategies/contract/options.ts';
import { wires } from '../../src/wire/wires.ts';
import { serverPort, wireToken } from './agent.ts';
import { workFolder } from './task.ts';

/**
 * Starts the proxy between an agent and the model server.
 *
 * @param mode `record`, or a strategy and a window such as `ladder:32000`
 * @param upstreamPort port of the model server
 * @param recordings folder for the recordings
 */
export async function startWire(
  mode: string,
  upstreamPort: number,
  recordings: string,
): Promise<{ close(): Promise<void> }> {
  const [name = '', size] = mode.split(':');
  const isCompacting = size !== undefined;
  const strategy = strategyNamed(isCompacting ? name : 'none');
  const window = Number(size ?? 128_000);
  const model = new OfflineModel({ window });
  const recorder = new Recorder({
    recordings,
    workingFolder: workFolder,
    folder: () => workFolder,
    meter: createMeter('o200k_base'),
    settings: () => ({
      strategy,
      options: resolveOptions(strategy.options, {}).options,
      budget: { window, triggerRatio: 0.85, targetRatio: 0.5 },
      mode: isCompacting ? 'auto' : 'off',
      protectFirst: true,
    }),
    models: () => Promise.resolve({ chat: model, named: () => model }),
    now: () => Date.now(),
    log: (line) => console.error(line),
  });
  const proxy = await startProxy({
    upstream: new URL(`http://127.0.0.1:${upstreamPort}`),
    port: serverPort,
    token: wireToken,
    wires,
    observe: (start) => (start.asks === 'reply' ? recorder.observe(start) : undefined),
    ...(isCompacting && { rewrite: (start, body) => recorder.rewrite(start, body) }),
    log: (line) => console.error(line),
  });
  return {
    close: async () => {
      await proxy.close();
      await recorder.close();
    },
  };
}
