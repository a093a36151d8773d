import { inertText } from '@linnet/ui/inert-text';
import type { VNode } from 'preact';

import { GuidePage } from '@linnet/auth/areas/guides/guide-page.tsx';
import { GuideSearchPage } from '@linnet/auth/areas/guides/guide-search-page.tsx';
import { loadGuides } from '@linnet/auth/areas/guides/guides';
import { ada, frameIn } from './sample-frame.ts';
import type { SampleLanguage } from './sample-frame.ts';

const baseUrl = 'http://localhost:3000';
const guides = loadGuides(baseUrl);

/** One guide for visitors and for a developer, and the search. `sampleGuides` has all guides. */
export function sampleGuidePages(language: SampleLanguage, name: string): Readonly<Record<string, VNode>> {
  const frame = frameIn(language);
  const applications = [
    { clientId: 'app_8Jr2tqkVZ0mXwL5yNcD3bQ', name },
    { clientId: 'app_7Kr2tqkVZ0mXwL5yNcD3bQ', name: 'Weather Bird' },
  ];
  return {
    guide: sampleGuide(language, 'quickstart'),
    'guide of a developer': GuidePage({
      ...guideProps('overview'),
      frame: frameIn(language, ada),
      applications,
      clientId: applications[0]?.clientId,
    }),
    'guide search': GuideSearchPage({
      frame,
      guides: guides.list,
      query: 'refresh token',
      found: guides.search('refresh token'),
    }),
    'guide search, nothing found': GuideSearchPage({ frame, guides: guides.list, query: inertText(name), found: [] }),
  };
}

/** Every guide as visitors see it, by its slug. */
export function sampleGuides(): ReadonlyMap<string, VNode> {
  return new Map(guides.list.map(({ slug }) => [slug, sampleGuide('en', slug)]));
}

function sampleGuide(language: SampleLanguage, slug: string): VNode {
  return GuidePage({ ...guideProps(slug), frame: frameIn(language), applications: [] });
}

function guideProps(slug: string) {
  const guide = guides.list.find((one) => one.slug === slug);
  if (guide === undefined) throw new Error(`there is no guide ${slug}`);
  return { baseUrl, guides: guides.list, guide, html: guides.htmlOf(slug) };
}
