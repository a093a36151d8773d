import { inertText } from '@linnet/ui/inert-text';
import type { VNode } from 'preact';

import { CopyScript, CopyTemplate } from '../../pages/views/notice.tsx';
import type { Frame } from '../../pages/frame/frame.ts';
import { Layout } from '../../pages/views/layout.tsx';
import { pagePaths } from '../../pages/views/page-paths.ts';
import type { Guide } from './contents.ts';
import { GuideNavigation } from './guide-navigation.tsx';

interface GuidePageProps {
  readonly frame: Frame;
  readonly baseUrl: string;
  readonly guides: readonly Guide[];
  readonly guide: Guide;
  /** The content, after the title and the description. */
  readonly html: string;
  /** The reader's own; empty for visitors. */
  readonly applications: readonly ExampleApplication[];
  /** The one in the examples. */
  readonly clientId?: string | undefined;
}

export interface ExampleApplication {
  readonly clientId: string;
  readonly name: string;
}

/** A guide of the documentation. The guides are in English, the page around them in the language of the reader. */
export function GuidePage(props: GuidePageProps): VNode {
  const { frame, baseUrl, guides, guide, html } = props;
  const { slug, title, description } = guide;
  const { guides: texts } = frame.messages;
  const canonical = baseUrl + pagePaths.guide(slug);
  return (
    <Layout
      frame={frame}
      title={title}
      kind="columns"
      section="guides"
      description={description}
      canonical={canonical}
      contentLanguage="en"
    >
      <div class="guide">
        <div class="guide-content">
          <p class="to-guides small">
            <a href="#guides">{texts.all}</a>
          </p>
          {frame.messages.language === 'en' ? null : <p class="quiet small">{texts.inEnglish}</p>}
          <h1>
            <span lang="en">{title}</span>
          </h1>
          <p class="lead">
            <span lang="en">{description}</span>
          </p>
          <p class="small">
            <a href={pagePaths.guideMarkdown(slug)} data-copied={frame.messages.copying.copied} aria-live="polite">
              {texts.copyMarkdown}
            </a>
          </p>
          <ApplicationChoice {...props} />
          {/* oxlint-disable-next-line react/no-danger -- rendered from docs/developers; client ids are escaped */}
          <article lang="en" data-copy-blocks dangerouslySetInnerHTML={{ __html: html }} />
          <CopyTemplate frame={frame} />
          <Neighbours {...{ frame, guides, slug }} />
        </div>
        <OnThisPage frame={frame} guide={guide} />
        <GuideNavigation {...{ frame, guides, slug }} />
      </div>
      <CopyScript frame={frame} />
    </Layout>
  );
}

/** Which of the reader's applications the examples show. */
function ApplicationChoice({ frame, applications, clientId }: GuidePageProps): VNode | null {
  const { application: texts } = frame.messages.guides;
  if (applications.length === 0) return null;
  return (
    <form class="guide-application panel">
      <label for="field-client_id">{texts.label}</label>
      <select id="field-client_id" name="client_id">
        {applications.map((one) => (
          <option key={one.clientId} value={one.clientId} selected={one.clientId === clientId}>
            {inertText(one.name)}
          </option>
        ))}
      </select>
      <button class="button quiet-button">{texts.submit}</button>
    </form>
  );
}

function OnThisPage({ frame, guide }: Pick<GuidePageProps, 'frame' | 'guide'>): VNode | null {
  if (guide.sections.length === 0) return null;
  return (
    <nav class="on-this-page small" aria-labelledby="on-this-page">
      <p class="quiet" id="on-this-page">
        {frame.messages.guides.onThisPage}
      </p>
      <ul>
        {guide.sections.map(({ id, heading }) => (
          <li key={id}>
            <a href={`#${id}`}>
              <span lang="en">{heading}</span>
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

function Neighbours({
  frame,
  guides,
  slug,
}: Pick<GuidePageProps, 'frame' | 'guides'> & { readonly slug: string }): VNode {
  const { guides: texts } = frame.messages;
  const at = guides.findIndex((guide) => guide.slug === slug);
  const pair = [
    { rel: 'prev', label: texts.previous, guide: at > 0 ? guides[at - 1] : undefined },
    { rel: 'next', label: texts.next, guide: guides[at + 1] },
  ];
  return (
    <nav class="neighbours" aria-label={texts.neighbours}>
      {pair.map(({ rel, label, guide }) =>
        guide === undefined ? null : (
          <a key={rel} rel={rel} href={pagePaths.guide(guide.slug)}>
            <span class="quiet small">{label}</span> <span lang="en">{guide.title}</span>
          </a>
        ),
      )}
    </nav>
  );
}
