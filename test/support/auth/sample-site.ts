import type { Language } from '@linnet/contract/languages';
import { loadAssets } from '@linnet/ui/assets';
import { serveSampleFiles } from '../ui/sample-site.ts';
import { renderToString } from 'preact-render-to-string';

import { catalogues } from '@linnet/auth/pages/i18n/messages';
import { extraStyles, pageScripts, pageStyles } from '@linnet/auth/pages/frame/page-frame';
import type { SampleLanguage } from './sample-frame.ts';
import { sampleGuides } from './sample-guide-pages.ts';
import { samplePages } from './sample-pages.ts';

/** The samples as HTML documents, by name. */
export function drawSamples(language: SampleLanguage, name?: string): ReadonlyMap<string, string> {
  const drawn = Object.entries(samplePages(language, name)).map(
    ([page, node]) => [page, `<!DOCTYPE html>\n${renderToString(node)}`] as const,
  );
  return new Map(drawn);
}

/** Every guide as an HTML document, by its slug. */
export function drawGuides(): ReadonlyMap<string, string> {
  return new Map([...sampleGuides()].map(([slug, node]) => [slug, `<!DOCTYPE html>\n${renderToString(node)}`]));
}

/** The assets of the pages. */
export const serveFiles = serveSampleFiles(
  loadAssets({ path: '/assets', styles: pageStyles, extraStyles, scripts: pageScripts }),
);

/** Every text of a language that does not depend on arguments. */
export function textsIn(language: Language): ReadonlySet<string> {
  return new Set(stringsIn(catalogues[language]));
}

function stringsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(stringsIn) : [];
}
