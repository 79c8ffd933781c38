import { createMeter } from '../../src/cli/measuring.ts';
import { OfflineModel } from '../../src/agent/offline/offline-model.ts';
import { startProxy } from '../../src/bridge/proxy/proxy-server.ts';
import { Recorder } from '../../src/bridge/proxy/recorder.ts';
import { strategyNamed } from '../../src/cli/chosen-strategy.ts';
import { resolveOptions } from '../../src/compaction/strategies/contract/options.ts';
import { wires } from '../../src/wire/wires.ts';
import { serverPort, wireToken } from './agent.ts';
import { startTap, type TappedExchange } from './tap.ts';
import { workFolder } from './task.ts';

/** The requests and responses on both sides of the proxy. */
export interface TappedSides {
  /** Requests of the agent, and the responses that it received. */
  readonly client: readonly TappedExchange[];
  /** Requests that the model server received, and its responses. */
  readonly server: readonly TappedExchange[];
}

/** A proxy with a tap on each side. */
interface TappedWire {
  /** Stops the proxy and starts another at the same port. */
  restart(): Promise<void>;
  close(): Promise<TappedSides>;
}

/**
 * Starts the proxy between an agent and the model server, with a tap on each side.
 *
 * @param mode `record`, or a strategy and a window such as `ladder:32000`
 * @param upstreamPort port of the model server
 * @param recordings folder for the recordings
 */
export async function startWire(mode: string, upstreamPort: number, recordings: string): Promise<TappedWire> {
  const [name = '', size] = mode.split(':');
  const isCompacting = size !== undefined;
  const strategy = strategyNamed(isCompacting ? name : 'none');
  const window = Number(size ?? 128_000);
  const model = new OfflineModel({ window });
  const ports: ConstructorParameters<typeof Recorder>[0] = {
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
  };
  const serverSide = await startTap({ port: 0, upstreamPort });
  const start = async (port: number) => {
    const recorder = new Recorder(ports);
    const proxy = await startProxy({
      upstream: new URL(`http://127.0.0.1:${serverSide.port}`),
      port,
      token: wireToken,
      wires,
      observe: (exchange) => (exchange.asks === 'reply' ? recorder.observe(exchange) : undefined),
      ...(isCompacting && { rewrite: (exchange, body) => recorder.rewrite(exchange, body) }),
      log: (line) => console.error(line),
    });
    const stop = async () => {
      await proxy.close();
      await recorder.close();
    };
    return { port: proxy.port, stop };
  };
  let running = await start(0);
  const clientSide = await startTap({ port: serverPort, upstreamPort: running.port, token: wireToken });
  return {
    restart: async () => {
      await running.stop();
      running = await start(running.port);
    },
    close: async () => {
      await clientSide.close();
      await running.stop();
      await serverSide.close();
      return { client: clientSide.exchanges, server: serverSide.exchanges };
    },
  };
}
