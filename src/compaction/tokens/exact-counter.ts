import { PieceCounter } from './piece-counter.ts';
import { RunningCount } from './running-count.ts';
import type { ScanTable } from './piece-scan.ts';
import { scanTables } from './split-patterns.ts';
import { type MergeFile, type RankFile, Vocabulary, type VocabularyTables } from './vocabulary.ts';

/** A loaded encoding as plain data, which another thread can use at once. */
export interface EncodingTables extends VocabularyTables {
  readonly pat_str: string;
}

/**
 * Characters of one to four bytes, and pieces of all lengths. It is counted first, because V8 would compile the scan
 * again for the first wide character of a text.
 */
const everyWidth = `don't 123 é жо перевёрнутое 汉字 เป็น 😀 ${'汉字'.repeat(40)}\n\n internationalisation`;

/** An exact counter for an encoding. Special tokens (`<|endoftext|>`) count as ordinary text. */
export class ExactCounter {
  private readonly pattern: string;
  private readonly pieces: PieceCounter;
  private readonly table: ScanTable;
  private readonly whole: RunningCount;

  /** @throws for a split pattern without a table */
  constructor(source: RankFile | MergeFile | EncodingTables) {
    this.pattern = source.pat_str;
    this.pieces = new PieceCounter(new Vocabulary(source));
    const table = scanTables.get(source.pat_str);
    if (table === undefined) throw new RangeError(source.pat_str);
    this.table = table;
    this.whole = this.running();
    this.count(everyWidth);
  }

  readonly count = (text: string): number => {
    this.whole.clear();
    this.whole.add(text);
    return this.whole.total();
  };

  running(): RunningCount {
    return new RunningCount(this.table, this.pieces);
  }

  get tables(): EncodingTables {
    return { pat_str: this.pattern, ...this.pieces.vocabulary.tables };
  }
}
