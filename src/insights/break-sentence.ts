import type { Kind } from '../compaction/messages/message.ts';
import { hideId, rewindId, rewrittenId } from '../compaction/records/record.ts';
import { hostSentences } from '../language/english/host-english.ts';
import { insightsSentences } from '../language/english/insights-english.ts';
import { strategyTitle } from '../language/english/strategy-titles-english.ts';
import type { Sentence } from '../language/sentence.ts';
import type { BreakPlace } from './break-place.ts';
import type { CacheBreak } from './cache-breaks.ts';
import type { DifferenceCause } from './request-difference.ts';
import type { ChangeForm } from './changed-text.ts';

/** Maximum tools named in a sentence. */
const mostNamed = 6;

const forms: Readonly<Record<ChangeForm, Sentence>> = {
  date: insightsSentences.say('formDate'),
  time: insightsSentences.say('formTime'),
  id: insightsSentences.say('formId'),
  path: insightsSentences.say('formPath'),
  number: insightsSentences.say('formNumber'),
  appended: insightsSentences.say('formAppended'),
  shortened: insightsSentences.say('formShortened'),
  text: insightsSentences.say('formText'),
};

/** Names the cause of a cache break in a few words. Breaks of one group have the same words. */
export function breakSentence({ cause, place }: CacheBreak): Sentence {
  switch (cause.type) {
    case 'model':
      return insightsSentences.say('breakModel', { before: cause.before, after: cause.after });
    case 'tools':
      return place === undefined ? toolsSentence(cause) : placeSentence(place);
    case 'compaction':
      return place === undefined ? compactionSentence(cause.strategy) : placeSentence(place);
    case 'undo':
      return insightsSentences.say('breakUndo');
    case 'restore':
      return insightsSentences.say('breakRestore');
    case 'late-result':
      return insightsSentences.say('breakLate');
    case 'expired':
      return insightsSentences.say('breakExpired');
    case 'unexplained':
      return insightsSentences.say('breakUnexplained');
  }
}

function placeSentence(place: BreakPlace): Sentence {
  const { change } = place;
  const form = forms[change.form];
  if (place.type === 'tool') {
    return insightsSentences.say('breakField', { tool: place.tool, field: place.field, form });
  }
  const where = place.source ?? titleOf(place.kind);
  const { section } = change;
  return section === undefined
    ? insightsSentences.say('breakMessage', { where, form })
    : insightsSentences.say('breakSection', { where, section, form });
}

function titleOf(kind: Kind): Sentence {
  switch (kind) {
    case 'system':
      return hostSentences.say('titleSystem');
    case 'memory':
      return hostSentences.say('titleMemory');
    case 'toolResult':
      return hostSentences.say('titleResult');
    case 'assistant':
      return hostSentences.say('titleAssistant');
    case 'summary':
      return hostSentences.say('titleSummary');
    case 'reminder':
      return hostSentences.say('titleReminder');
    default:
      return hostSentences.say('titleYou');
  }
}

function compactionSentence(strategy: string): Sentence {
  if (strategy === hideId) return insightsSentences.say('breakHidden');
  if (strategy === rewindId) return insightsSentences.say('breakRewound');
  if (strategy === rewrittenId) return insightsSentences.say('breakRewritten');
  return insightsSentences.say('breakCompaction', { strategy: strategyTitle(strategy) });
}

function toolsSentence(cause: Extract<DifferenceCause, { type: 'tools' }>): Sentence {
  const changes = changedTools(cause);
  return changes.length === 0
    ? insightsSentences.say('breakToolOrder')
    : insightsSentences.say('breakTools', { changes });
}

/** A sentence for each kind of change in a list of tools; none if only the order changed. */
export function changedTools(cause: Extract<DifferenceCause, { type: 'tools' }>): readonly Sentence[] {
  const kindsOfChange = [
    ['toolsAdded', cause.added],
    ['toolsRemoved', cause.removed],
    ['toolsChanged', cause.changed],
    ['toolFieldsReordered', cause.reordered],
  ] as const;
  return kindsOfChange.flatMap(([key, tools]) =>
    tools.length === 0 ? [] : [insightsSentences.say(key, { tools: listedNames(tools) })],
  );
}

/** Joins names; the last of many names are left out. */
export function listedNames(names: readonly string[]): string {
  const shown = names.slice(0, mostNamed).join(', ');
  return names.length > mostNamed ? `${shown}, …` : shown;
}
