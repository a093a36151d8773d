import type { Wire } from '@linnet/social/wire';
import { toShownName } from '@linnet/ui/shown-name';

import { compressFile } from './compressed-file.ts';
import type { CompressedFile } from './compressed-file.ts';

export type DocumentedService = Pick<Wire, 'baseUrl' | 'serviceName'>;

/** The OpenAPI document of this service, as a file. What makes it is loaded here, which a start need not wait for. */
export async function createDocumentFile({ baseUrl, serviceName }: DocumentedService): Promise<CompressedFile> {
  const { createOpenApiDocument } = await import('@linnet/contract/openapi');
  const document = createOpenApiDocument({ baseUrl, shownName: toShownName(serviceName) });
  return await compressFile('application/json; charset=utf-8', JSON.stringify(document));
}
