import { errorTitle } from '@linnet/contract/error-titles';
import type { ErrorCode } from '@linnet/contract/errors';
import { markTexts } from '../ui/hard-coded-text.ts';
import type { VNode } from 'preact';

import { HomePage, LandingPage } from '@linnet/auth/areas/front/front.tsx';
import { StatusPage, toServiceStatus } from '@linnet/auth/areas/front/status.tsx';
import { ProblemPage } from '@linnet/auth/areas/problems/problem-page.tsx';
import { ProblemsPage } from '@linnet/auth/areas/problems/problems.tsx';
import { ada, frameIn } from './sample-frame.ts';
import type { SampleLanguage } from './sample-frame.ts';
import { samplePost } from './sample-people-pages.ts';

const baseUrl = 'https://linnet.example';

const now = new Date('2026-11-20T12:00:30Z');
const ago = (minutes: number) => new Date(Date.parse('2026-11-20T12:00:00Z') - minutes * 60_000);
const since = new Date('2026-01-01');
const always = { from: ago(1442), until: ago(-1) };
/** The API was interrupted twice, pictures since an hour. */
const spans = [
  { part: 'sign_in', ...always },
  { part: 'database', ...always },
  { part: 'api', from: ago(1442), until: ago(700) },
  { part: 'api', from: ago(640), until: ago(301) },
  { part: 'api', from: ago(300), until: ago(-1) },
  { part: 'media', from: ago(1442), until: ago(60) },
] as const;

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
    status: StatusPage({ frame, status: toServiceStatus({ now, since, spans }, false) }),
    'status of a new service': StatusPage({ frame, status: toServiceStatus({ now, since: ago(90), spans }, false) }),
    'status without the database': StatusPage({ frame, status: toServiceStatus({ now, since, spans }, true) }),
    'status of which nothing is known': StatusPage({ frame, status: toServiceStatus(undefined, true) }),
    problems: ProblemsPage({ frame, titleOf }),
    problem: ProblemPage({ frame, code: 'not-found', title: titleOf('not-found'), baseUrl }),
    'problem of every call': ProblemPage({ frame, code: 'rate-limited', title: titleOf('rate-limited'), baseUrl }),
  };
}
