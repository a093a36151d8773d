import type { AssetAddresses } from '@linnet/ui/assets';
import { renderToString } from 'preact-render-to-string';
import type { VNode } from 'preact';

import { Code, FieldList, Inline, OperationSection, Prose } from './operation-section.tsx';
import type { Reference, ReferenceObject, ReferenceSubject } from './reference-model.ts';
import { AuthorizePanel, CallbackView } from './try-form.tsx';
import type { ExplorerClient } from './try-form.tsx';

export interface ReferencePaths extends Pick<
  ReferenceViewProps,
  'apiUrl' | 'documentPath' | 'generatorsPath' | 'collectionPath'
> {
  readonly pagePath: string;
}

export function renderReference(props: ReferenceViewProps): string {
  return `<!doctype html>${renderToString(<ReferenceView {...props} />)}`;
}

/** The page that the API Explorer's authorization response arrives at. */
export function renderCallback(props: { readonly assets: AssetAddresses; readonly referencePath: string }): string {
  return `<!doctype html>${renderToString(<CallbackView {...props} />)}`;
}

interface ReferenceViewProps {
  /** The service name as people read it. */
  readonly serviceName: string;
  /** The address of the API, such as `https://linnet.example/api/v2.0`. */
  readonly apiUrl: string;
  readonly documentPath: string;
  readonly generatorsPath: string;
  readonly collectionPath: string;
  /** The client with which people try the API; absent if it is switched off. */
  readonly explorer?: ExplorerClient;
  readonly reference: Reference;
  readonly assets: AssetAddresses;
}

/** The whole reference, readable without scripts. It is in English, as the contract is. */
function ReferenceView(props: ReferenceViewProps): VNode {
  const { serviceName, assets, reference } = props;
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>{`API reference · ${serviceName}`}</title>
        <meta
          name="description"
          content={`Every endpoint of the ${serviceName} API, with real requests and responses.`}
        />
        <link rel="stylesheet" href={assets.style} />
        <link rel="icon" href={assets.logo} type="image/svg+xml" />
      </head>
      <body class="reference">
        <a class="skip" href="#content">
          Skip to the content
        </a>
        <header class="top">
          <a class="brand" href="/">
            <img src={assets.logo} alt="" width={32} height={32} />
            <span>{serviceName}</span>
          </a>
          <nav class="main-navigation" aria-label="Pages">
            <a href="/developers">Documentation</a>
            <a href="#content" aria-current="page">
              API reference
            </a>
            <a href="/developer">My applications</a>
          </nav>
        </header>
        <Contents reference={reference} />
        <main id="content">
          <h1>API reference</h1>
          <Introduction {...props} />
          {reference.subjects.map((subject) => (
            <SubjectSection key={subject.name} subject={subject} />
          ))}
          <Objects objects={reference.objects} />
          <Problems reference={reference} />
        </main>
        <script src={assets.scripts['reference.js']} type="module" />
      </body>
    </html>
  );
}

function Contents({ reference }: { readonly reference: Reference }): VNode {
  return (
    <nav class="contents" aria-label="Endpoints">
      <details open>
        <summary>Contents</summary>
        {reference.subjects.map(({ name, operations }) => (
          <div key={name}>
            <a class="subject" href={`#${idOf(name)}`}>
              {name}
            </a>
            <ul>
              {operations.map(({ id, title, method, path }) => (
                <li key={id}>
                  <a href={`#${id}`} title={`${method} ${path}`}>
                    {title}
                  </a>
                </li>
              ))}
            </ul>
          </div>
        ))}
        <a class="subject" href="#objects">
          Objects
        </a>
        <a class="subject" href="#problems">
          Errors
        </a>
      </details>
    </nav>
  );
}

function Introduction({ apiUrl, explorer, ...props }: ReferenceViewProps): VNode {
  return (
    <section class="introduction" aria-label="Introduction">
      <p class="lead">
        All paths are relative to <code>{apiUrl}</code>. The requests and responses on this page were recorded from real
        calls.
      </p>
      <ul>
        <li>
          Every request needs <code>Authorization: Bearer</code> with an access token, and{' '}
          <code>Accept: application/json</code>.
        </li>
        <li>
          <code>GET</code> takes parameters from the query. <code>POST</code> takes them from a JSON, form or multipart
          body of at most 64 KB, not counting files.
        </li>
        <li>
          IDs are integers up to 2<sup>53</sup>−1. You can also send them as strings of digits. Version 2.0 may add
          members to objects.
        </li>
        <li>
          A response is 200 with JSON, or a <a href="#problems">problem</a> with a stable <code>code</code>. Send an{' '}
          <code>Idempotency-Key</code> to retry writes safely.
        </li>
        <li>
          Register your application under <a href="/developer">My applications</a>. Tools can use the{' '}
          <a href={props.documentPath}>OpenAPI document</a>, its version{' '}
          <a href={props.generatorsPath}>for code generators</a> (OpenAPI 3.0), and a{' '}
          <a href={props.collectionPath}>Postman collection</a>.
        </li>
      </ul>
      <AuthorizePanel {...(explorer === undefined ? {} : { explorer })} />
    </section>
  );
}

function SubjectSection({ subject }: { readonly subject: ReferenceSubject }): VNode {
  const { name, description, operations } = subject;
  return (
    <section class="subject" id={idOf(name)} aria-labelledby={`${idOf(name)}-title`}>
      <h2 id={`${idOf(name)}-title`}>{name}</h2>
      <Prose text={description} />
      {operations.map((operation) => (
        <OperationSection key={operation.id} operation={operation} />
      ))}
    </section>
  );
}

function Objects({ objects }: { readonly objects: readonly ReferenceObject[] }): VNode {
  return (
    <section class="subject" id="objects" aria-labelledby="objects-title">
      <h2 id="objects-title">Objects</h2>
      {objects.map(({ name, description, fields }) => (
        <section key={name} class="operation" id={`object-${name}`} aria-label={`Object ${name}`}>
          <h3>{name}</h3>
          <Prose text={description} />
          <FieldList fields={fields} kind="members" />
        </section>
      ))}
    </section>
  );
}

function Problems({ reference: { problems, commonErrors } }: Pick<ReferenceViewProps, 'reference'>): VNode {
  return (
    <section class="subject" id="problems" aria-labelledby="problems-title">
      <h2 id="problems-title">Errors</h2>
      <p>
        Errors are problems (RFC 9457) of the type <code>application/problem+json</code>. <code>code</code> is stable;{' '}
        <code>title</code> is in the language that <code>Accept-Language</code> prefers.
      </p>
      <h3 id="common-errors">Common errors</h3>
      <p>Almost every request can return these:</p>
      <ul>
        {commonErrors.map(({ status, code }) => (
          <li key={code}>
            <span class="status">{status}</span> <a href={`#problem-${code}`}>{code}</a>
          </li>
        ))}
      </ul>
      <h3>All errors</h3>
      {problems.map(({ title, value }) => (
        <details key={title} id={`problem-${title}`}>
          <summary>
            <code>{title}</code>
          </summary>
          <p>
            <a href={`/problems/${title}`}>
              How to fix <Inline text={`\`${title}\``} />
            </a>
          </p>
          <Code label={`The problem ${title}`}>{JSON.stringify(value, null, 2)}</Code>
        </details>
      ))}
    </section>
  );
}

function idOf(subject: string): string {
  return `subject-${subject.toLowerCase()}`;
}
