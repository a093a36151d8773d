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

/** Characters of three lines; shorter ones are closing brackets. */
const minWindow = 60;

/**
 * The files that share three lines with another place, indentation and comments aside. The formatter writes equal code as equal lines, and the
 * detector takes twenty times as long.
 */
function findCandidates(files: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  const places = new Map<string, string>();
  const candidates = new Set<string>();
  for (const [path, text] of files) {
    const lines = text
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== '' && !/^(?:\/\/|\/?\*)/.test(line));
    for (const index of lines.keys()) {
      const window = lines.slice(index, index + 3).join('\n');
      const first = places.get(window);
      if (window.length < minWindow) continue;
      if (first === undefined) places.set(window, path);
      else candidates.add(first).add(path);
    }
  }
  return new Map([...files].filter(([path]) => candidates.has(path)));
}

/** Finds equal code of at least 5 lines and 50 tokens; comments, white space and imports do not count. */
export async function findDuplicates(files: ReadonlyMap<string, string>): Promise<readonly Duplicate[]> {
  const options = { minLines, minTokens, mode: getModeHandler('weak') };
  const detector = new Detector(new Tokenizer(), new MemoryStore<IMapFrame>(), [], options);
  const duplicates: Duplicate[] = [];
  const code = new Map([...files].map(([path, text]) => [path, blankImports(path, text)]));
  for (const [path, text] of findCandidates(code)) {
    const format = path.endsWith('.tsx') ? 'tsx' : 'typescript';
    for (const { duplicationA, duplicationB } of await detector.detect(path, text, format)) {
      const lines = duplicationA.end.line - duplicationA.start.line + 1;
      const places = [duplicationA, duplicationB].map(({ sourceId, start }) => `${sourceId}:${String(start.line)}`);
      if (lines >= minLines) duplicates.push({ lines, places });
    }
  }
  return duplicates;
}
