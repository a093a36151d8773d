import { errorTitle } from '@linnet/contract/error-titles';
import type { ErrorCode } from '@linnet/contract/errors';
import { markTexts } from '../ui/hard-coded-text.ts';
import type { VNode } from 'preact';

import { HomePage, LandingPage } from '@linnet/auth/areas/front/front.tsx';
import { ProblemPage } from '@linnet/auth/areas/problems/problem-page.tsx';
import { ProblemsPage } from '@linnet/auth/areas/problems/problems.tsx';
import { ada, frameIn } from './sample-frame.ts';
import type { SampleLanguage } from './sample-frame.ts';
import { samplePost } from './sample-people-pages.ts';

const baseUrl = 'https://linnet.example';

export function sampleFrontPages(language: SampleLanguage, name: string): Readonly<Record<string, VNode>> {
  const frame = frameIn(language);
  const withClient = { ...frame, hasClient: true };
  // The titles are in the catalogue of the contract.
  const titleOf = (code: ErrorCode) =>
    language === 'marked' ? markTexts({ title: errorTitle(code, 'en') }, []).title : errorTitle(code, language);
  return {
    landing: LandingPage({ frame: frameIn(language), baseUrl, posts: [] }),
    'landing with posts': LandingPage({ frame: withClient, baseUrl, posts: [samplePost(name).post] }),
    home: HomePage({ frame: frameIn(language, ada), viewer: { ...ada, displayName: name } }),
    'home of an operator': HomePage({
      frame: frameIn(language, ada),
      viewer: { ...ada, displayName: name, operatorSince: new Date(0) },
    }),
    'home with the web client': HomePage({ frame: withClient, viewer: { ...ada, displayName: name } }),
    problems: ProblemsPage({ frame, titleOf }),
    problem: ProblemPage({ frame, code: 'not-found', title: titleOf('not-found'), baseUrl }),
    'problem of every call': ProblemPage({ frame, code: 'rate-limited', title: titleOf('rate-limited'), baseUrl }),
  };
}
