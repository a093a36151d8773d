import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';

import { repositoryRoot } from '../service.ts';

/** A code block of a guide. */
export interface GuideBlock {
  /** `sh`, `ts` and `py` are examples, `json`, `http` and `text` what they print; `run` is a hidden command. */
  readonly language: string;
  /** The words after the language: the name of a file, for example. */
  readonly caption: string;
  readonly code: string;
}

/** Blocks with nothing between them: one example in several languages, and what it prints. */
export type BlockGroup = readonly GuideBlock[];

export interface GuideSource {
  readonly slug: string;
  readonly groups: readonly BlockGroup[];
}

const folder = join(repositoryRoot, 'docs/developers');
/** A block, or `<!-- run: command -->` for what readers do on a page. */
const block = /^```(\w*) ?(.*)\n([\s\S]*?)^```$|^<!-- (run): (.*) -->$/gm;

/** The guides that have code. */
export function readGuides(): readonly GuideSource[] {
  return readdirSync(folder)
    .map((file) => ({
      slug: basename(file, '.md'),
      groups: readGroups(readFileSync(join(folder, file), 'utf8')),
    }))
    .filter(({ groups }) => groups.length > 0);
}

function readGroups(markdown: string): readonly BlockGroup[] {
  const groups: GuideBlock[][] = [];
  let end = -1;
  for (const match of markdown.matchAll(block)) {
    const [all] = match;
    const isAdjacent = end >= 0 && markdown.slice(end, match.index).trim() === '';
    end = match.index + all.length;
    if (isAdjacent) groups.at(-1)?.push(toBlock(match));
    else groups.push([toBlock(match)]);
  }
  return groups;
}

function toBlock([, fence = '', caption = '', content = '', run, command = '']: RegExpExecArray): GuideBlock {
  return run === undefined ? { language: fence, caption, code: content } : { language: run, caption, code: command };
}
