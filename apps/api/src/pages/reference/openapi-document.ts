import type { ViewContext } from '@linnet/social/view-context';
import { formatServiceName } from '@linnet/ui/service-name';

import { compressFile } from './compressed-file.ts';
import type { CompressedFile } from './compressed-file.ts';

export type DocumentedService = Pick<ViewContext, 'baseUrl' | 'serviceName'>;

/** The OpenAPI document of this service. Loads zod-openapi on demand, so that it does not slow the start. */
export async function createDocumentFile({ baseUrl, serviceName }: DocumentedService): Promise<CompressedFile> {
  const { createOpenApiDocument } = await import('@linnet/contract/openapi');
  const document = createOpenApiDocument({ baseUrl, shownName: formatServiceName(serviceName) });
  return await compressFile('application/json; charset=utf-8', JSON.stringify(document));
}
