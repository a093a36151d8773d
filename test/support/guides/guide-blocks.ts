import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';

import { repositoryRoot } from '../service.ts';

/** A code block of a guide. */
export interface GuideBlock {
  /** `sh` and the languages of programs are examples, `json`, `http` and `text` what they print; `run` is a hidden command. */
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

/** A block, or `<!-- run: command -->` for what readers do on a page. */
const block = /^```(\w*) ?(.*)\n([\s\S]*?)^```$|^<!-- (run): (.*) -->$/gm;

/** The guides that have code, as the service at `baseUrl` offers them as Markdown. */
export async function readGuides(baseUrl: string): Promise<readonly GuideSource[]> {
  const files = readdirSync(join(repositoryRoot, 'docs/developers')).filter((file) => file.endsWith('.md'));
  const slugs = files.map((file) => basename(file, '.md'));
  const guides = await Promise.all(
    slugs.map(async (slug) => {
      const path = slug === 'overview' ? '/developers.md' : `/developers/${slug}.md`;
      const response = await fetch(baseUrl + path);
      if (!response.ok) throw new Error(`${path}: ${String(response.status)}`);
      return { slug, groups: readGroups(await response.text()) };
    }),
  );
  return guides.filter(({ groups }) => groups.length > 0);
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

export const isProgram = ({ language }: GuideBlock) => ['ts', 'py', 'go', 'java', 'php', 'rb'].includes(language);

/** The commands in the first lines of a program, which install what it needs and run it. */
export function commandsOf({ code }: GuideBlock): readonly string[] {
  const [head = ''] = code.split('\n\n');
  return [...head.matchAll(/^(?:\/\/|#) {3}(.*)$/gm)].map(([, command = '']) => command);
}

export const isInstallation = (command: string) => /^(?:npm|pip) install /.test(command);
