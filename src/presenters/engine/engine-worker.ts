import { parentPort } from 'node:worker_threads';
import { channelOfPort } from '../../agent/worker-channel.ts';
import { createEngine } from './create-engine.ts';
import type { EngineHost, EngineThread, HostChannel } from './engine-calls.ts';

/** The program of the engine's thread. */

if (parentPort === null) throw new Error('This is the program of a thread.');
const channel: HostChannel = channelOfPort<EngineHost, EngineThread>(
  parentPort,
  createEngine(() => channel),
);
