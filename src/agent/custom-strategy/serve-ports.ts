import { CompactionFailure } from '../../compaction/failure.ts';
import type { CustomPorts, CustomPrompt } from '../../compaction/strategies/contract/custom-strategy.ts';
import type { PortCall } from './worker-messages.ts';

/**
 * Does what a custom strategy asked for.
 *
 * @throws {CompactionFailure} `custom-invalid` where it asked with something else than the contract says
 */
export function servePort(ports: CustomPorts, { port, parameters }: PortCall): Promise<unknown> {
  const [first, second] = parameters;
  switch (port) {
    case 'count':
      return ports.meter.count(textsOf(first, 'meter.count'));
    case 'summarise': {
      if (ports.model === undefined) throw invalid('There is no model.');
      const focus = second == null ? undefined : textOf(second, 'model.summarise');
      return ports.model.summarise(textsOf(first, 'model.summarise'), focus);
    }
    case 'prompt': {
      if (ports.model === undefined) throw invalid('There is no model.');
      // Read where it is answered: nothing else is known of it here.
      return ports.model.prompt(first as CustomPrompt);
    }
    case 'recall':
      return ports.archive.recall(textOf(first, 'archive.recall'));
    case 'search':
      return ports.archive.search(textOf(first, 'archive.search'));
    case 'now':
      return ports.clock.now();
  }
}

function textOf(value: unknown, called: string): string {
  if (typeof value === 'string') return value;
  throw invalid(`${called} takes a text.`);
}

function textsOf(value: unknown, called: string): readonly string[] {
  if (Array.isArray(value) && value.every((entry) => typeof entry === 'string')) return value;
  throw invalid(`${called} takes a list of texts.`);
}

function invalid(message: string): CompactionFailure {
  return new CompactionFailure('custom-invalid', message);
}
