import { catalogue } from './sentence.ts';

/** Sentences of the extension itself: commands, notices and settings. */
export const hostSentences = catalogue('host', {
  // Whose a message is, in its line in the inspector.
  titleYou: 'You',
  titleTask: 'Task',
  titleSystem: 'System',
  titleTools: 'Tools',
  titleMemory: 'Memory',
  titleAssistant: 'Assistant',
  titleReasoning: 'Reasoning',
  titleCall: 'Call',
  titleResult: 'Result',
  titleSummary: 'Summary',
  titleReminder: 'Reminder',
  titleSkill: 'Skill',
  titleSkills: 'Skills',
  titleWithCalls: '{title}, {calls}',

  comparisonIsStale: 'The conversation has changed. Run the comparison again before applying.',
  strategyNotApplied: '{strategy} was not applied.',
  strategyNotAppliedBecause: '{strategy} was not applied. {reason}',
  rerunPutBack: '{strategy} changed nothing, so the compaction was restored.',
  rerunPutBackBecause: '{strategy} changed nothing, so the compaction was restored. {reason}',
});
