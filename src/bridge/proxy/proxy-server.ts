import { Agent } from 'node:http';
import { Agent as TlsAgent } from 'node:https';
import { isLoopback } from '../../agent/network/base-url.ts';
import { type LoopbackPorts, type RunningServer, startLoopbackServer } from './loopback-server.ts';
import { answerInOneLine } from './own-answer.ts';
import { RelayedExchange, type RelayPorts } from './relayed-exchange.ts';

/** The parts of a proxy that differ from run to run. */
export interface ProxyPorts extends Omit<RelayPorts, 'agent'>, LoopbackPorts {}

/**
 * Starts a proxy on this machine's loopback interface. It passes requests to one upstream, byte for byte, and tells
 * observers about those that ask a model.
 * @throws {SentenceError} if the port is in use
 */
export async function startProxy(ports: ProxyPorts): Promise<RunningServer> {
  const agent = agentFor(ports.upstream, ports.log);
  const relaying: RelayPorts = { ...ports, agent };
  const server = await startLoopbackServer(ports, (request, response, target) => {
    if (/\bwebsocket\b/iu.test(request.headers.upgrade ?? '')) {
      ports.log('A client asked for a WebSocket, which is refused. Most clients go on without it.');
      answerInOneLine(response, 426, 'Context Budget: WebSockets are not passed on. Use HTTP.');
    } else new RelayedExchange(relaying, request, response, target).start();
  });
  return {
    ...server,
    close: async () => {
      await server.close();
      agent.destroy();
    },
  };
}

/** Milliseconds for which an idle connection to the upstream is kept: less than servers keep theirs. */
const idleTime = 4_000;

/**
 * Creates the keeper of the connections to the upstream. To servers elsewhere it goes through the environment's proxy,
 * if Node can do that.
 */
function agentFor(upstream: URL, log: (line: string) => void): Agent {
  const options = { keepAlive: true, timeout: idleTime };
  if (upstream.protocol !== 'https:') return new Agent(options);
  if (isLoopback(upstream.hostname)) return new TlsAgent(options);
  try {
    return new TlsAgent({ ...options, ...{ proxyEnv: process.env } });
  } catch {
    log('The address in HTTPS_PROXY is not valid, and is not used.');
    return new TlsAgent(options);
  }
}
