/** Types of the engine that the pages use: kinds of messages, parts of records, and the forecast. */
export { type Kind, kinds } from '../compaction/messages/message.ts';
export { type DropReason, dropReasons } from '../compaction/messages/quote.ts';
export type { RowFate } from '../compaction/records/compaction-diff.ts';
export type {
  Coverage,
  Fate,
  CoverageCount,
  RecordStatus,
  Trigger,
  TriggerSource,
  TriggerStart,
} from '../compaction/records/record.ts';
export type { CompactionForecast } from '../compaction/service/compaction-forecast.ts';
export type { NextSize } from '../compaction/service/request-size.ts';
