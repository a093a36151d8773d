import { createOpenApiDocument } from './document.ts';

/** The text of docs/api/openapi.json: the document of a service at an example address (RFC 2606). */
export function createPublishedDocument(): string {
  const document = createOpenApiDocument({ baseUrl: 'https://linnet.example', shownName: 'Linnet' });
  return `${JSON.stringify(document, null, 2)}\n`;
}
