import type { Token, Tokens } from 'marked';

import { escapeHtml, highlight } from './highlight.ts';

/** Languages of examples, by the name after the fence, with the label of their tab. */
const exampleLabels: Readonly<Record<string, string>> = {
  sh: 'curl',
  ts: 'TypeScript',
  py: 'Python',
  go: 'Go',
  java: 'Java',
  php: 'PHP',
  rb: 'Ruby',
};

/** Code blocks that follow each other, or any other part of a page. */
export type Part = readonly Tokens.Code[] | Token;

/** Joins code blocks with nothing between them. */
export function groupCode(tokens: readonly Token[]): readonly Part[] {
  const parts: Part[] = [];
  let group: Tokens.Code[] | undefined;
  for (const token of tokens) {
    if (isCode(token)) {
      if (group === undefined) parts.push((group = []));
      group.push(token);
    } else if (token.type !== 'space') {
      group = undefined;
      parts.push(token);
    }
  }
  return parts;
}

function isCode(token: Token): token is Tokens.Code {
  return token.type === 'code';
}

/** The same example in several languages becomes tabs, which work without a script. `id` is unique on the page. */
export function renderCode(blocks: readonly Tokens.Code[], id: string): string {
  const runs: Tokens.Code[][] = [];
  for (const block of blocks) {
    const last = runs.at(-1);
    if (last !== undefined && isSameExample(last, block)) last.push(block);
    else runs.push([block]);
  }
  return runs
    .map((run, index) => (run.length > 1 ? renderTabs(run, `${id}-${String(index)}`) : run.map(renderBlock).join('')))
    .join('\n');
}

/** Examples in different languages. */
function isSameExample(run: readonly Tokens.Code[], block: Tokens.Code): boolean {
  const languages = run.map(languageOf);
  return (
    [...languages, languageOf(block)].every((one) => exampleLabels[one] !== undefined) &&
    !languages.includes(languageOf(block))
  );
}

function renderTabs(blocks: readonly Tokens.Code[], id: string): string {
  const tabs = blocks.map((block, index) => {
    const own = `${id}-${languageOf(block)}`;
    const checked = index === 0 ? ' checked' : '';
    const label = exampleLabels[languageOf(block)] ?? '';
    return `<span class="tab"><input type="radio" name="${id}" id="${own}"${checked}><label for="${own}">${label}</label></span>`;
  });
  const legend = '<legend class="unseen">Language of the example</legend>';
  return `<fieldset class="examples">${legend}${tabs.join('')}${blocks.map(renderPre).join('')}</fieldset>`;
}

/** What the service responds with has a caption. */
function renderBlock(block: Tokens.Code): string {
  const isResponse = ['json', 'http'].includes(languageOf(block));
  const caption = escapeHtml(captionOf(block) ?? (isResponse ? 'Response' : ''));
  const pre = renderPre(block);
  return caption === '' ? pre : `<figure><figcaption>${caption}</figcaption>${pre}</figure>`;
}

function renderPre(block: Tokens.Code): string {
  return `<pre><code>${highlight(block.text, languageOf(block))}</code></pre>`;
}

/** The first word after the fence. */
function languageOf({ lang = '' }: Tokens.Code): string {
  return lang.split(' ')[0] ?? '';
}

/** The words after the language: the name of a file, for example. */
function captionOf({ lang = '' }: Tokens.Code): string | undefined {
  return /^\S+ (.+)$/.exec(lang)?.[1];
}
