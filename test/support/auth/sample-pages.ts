import type { VNode } from 'preact';

import type { SampleLanguage } from './sample-frame.ts';
import { sampleAccountPages } from './sample-account-pages.ts';
import { sampleAdminPages } from './sample-admin-pages.ts';
import { sampleDeveloperPages } from './sample-developer-pages.ts';
import { sampleFrontPages } from './sample-front-pages.ts';
import { sampleGuidePages } from './sample-guide-pages.ts';
import { sampleMailPages } from './sample-mail-pages.ts';
import { samplePeoplePages, sampleReportPages } from './sample-people-pages.ts';
import { samplePlaygroundPages } from './sample-playground-pages.ts';
import { sampleErrorPages, sampleStepPages } from './sample-step-pages.ts';

/** Every page in each of its states. `name` is used for all text that people choose, made inert in messages as routes do it. */
export function samplePages(language: SampleLanguage, name = 'Weather Bird'): Readonly<Record<string, VNode>> {
  return {
    ...sampleFrontPages(language, name),
    ...sampleGuidePages(language, name),
    ...sampleStepPages(language, name),
    ...sampleErrorPages(language, name),
    ...sampleMailPages(language, name),
    ...sampleDeveloperPages(language, name),
    ...samplePlaygroundPages(language, name),
    ...sampleAccountPages(language, name),
    ...samplePeoplePages(language, name),
    ...sampleReportPages(language, name),
    ...sampleAdminPages(language, name),
  };
}

/** One sample. */
export function samplePage(page: string, name?: string): VNode {
  const found = samplePages('en', name)[page];
  if (found === undefined) throw new Error(`there is no page ${page}`);
  return found;
}
