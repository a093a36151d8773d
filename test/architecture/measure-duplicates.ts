import { Detector, MemoryStore, getModeHandler } from '@jscpd/core';
import type { IMapFrame } from '@jscpd/core';
import { Tokenizer } from '@jscpd/tokenizer';

import { blankImports } from './measure-code.ts';

export interface Duplicate {
  readonly lines: number;
  /** Where both copies start, as `path:line`. */
  readonly places: readonly string[];
}

const minLines = 5;
const minTokens = 50;

/** Finds equal code of at least 5 lines and 50 tokens; comments, white space and imports do not count. */
export async function findDuplicates(files: ReadonlyMap<string, string>): Promise<readonly Duplicate[]> {
  const options = { minLines, minTokens, mode: getModeHandler('weak') };
  const detector = new Detector(new Tokenizer(), new MemoryStore<IMapFrame>(), [], options);
  const duplicates: Duplicate[] = [];
  for (const [path, text] of files) {
    const format = path.endsWith('.tsx') ? 'tsx' : 'typescript';
    for (const { duplicationA, duplicationB } of await detector.detect(path, blankImports(path, text), format)) {
      const lines = duplicationA.end.line - duplicationA.start.line + 1;
      const places = [duplicationA, duplicationB].map(({ sourceId, start }) => `${sourceId}:${String(start.line)}`);
      if (lines >= minLines) duplicates.push({ lines, places });
    }
  }
  return duplicates;
}
