import type { PhaseEvent } from '../compaction/service/service-ports.ts';

interface PhaseLog {
  info(line: string): void;
  debug(line: string): void;
}

/** Logs each phase of a compaction. Frequent checks for early shortening are logged at debug level only. */
export function logPhase(event: PhaseEvent, log: PhaseLog): void {
  const { compaction, trigger, isBackground } = event;
  const line = `Compaction ${compaction}${isBackground === true ? ', in the background' : ''}: ${inWords(event)}`;
  if (trigger.source === 'savings') log.debug(line);
  else log.info(line);
}

function inWords(event: PhaseEvent): string {
  switch (event.phase) {
    case 'before': {
      const { source, requirement, tokens } = event.trigger;
      return `before ${event.strategy} (${source}, ${requirement}, ${tokens} tokens)`;
    }
    case 'tier-start':
      return `tier ${event.strategy} starts`;
    case 'tier-end':
      return `tier ${event.strategy} ends: ${event.status}${because(event.reason)}`;
    case 'summary-start':
      return `summary by ${event.model} starts`;
    case 'summary-end': {
      const { promptTokens, outputTokens } = event;
      const spent =
        promptTokens === undefined ? '' : ` (${promptTokens} tokens read, ${outputTokens ?? 0} written)`;
      return `summary by ${event.model} ends: ${event.outcome}${spent}`;
    }
    case 'rollback':
      return `rollback of ${event.strategy}${because(event.reason)}`;
    case 'done': {
      const { strategy, status, tokensBefore, tokensAfter, durationMs } = event;
      const size = `${tokensBefore} → ${tokensAfter} tokens in ${durationMs} ms`;
      return `done by ${strategy}: ${status}${because(event.reason)} (${size})`;
    }
  }
}

/** The reason on one line, even if another program's error message has several lines. */
function because(reason: { readonly code: string; readonly message: string } | undefined): string {
  return reason === undefined ? '' : `, ${reason.code}: ${reason.message.replace(/\s+/g, ' ')}`;
}
