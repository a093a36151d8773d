import type { VNode } from 'preact';

import { HomePage } from '../areas/front/home-page.tsx';
import { LandingPage } from '../areas/front/landing-page.tsx';
import { ada, frameIn } from './sample-frame.ts';
import type { SampleLanguage } from './sample-frame.ts';

export function sampleFrontPages(language: SampleLanguage, name: string): Readonly<Record<string, VNode>> {
  return {
    landing: LandingPage({ frame: frameIn(language), baseUrl: 'https://linnet.example' }),
    home: HomePage({ frame: frameIn(language, ada), viewer: { ...ada, displayName: name } }),
  };
}
