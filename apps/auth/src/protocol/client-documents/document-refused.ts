import { ApplicationRefused } from '@linnet/applications/application/application';
import { MetadataRefused } from '@linnet/applications/self-registration/client-metadata';
import { TooManyRegistrations } from '@linnet/applications/self-registration/self-registration';
import { errors } from 'oidc-provider';

/**
 * A client whose metadata document cannot be used; the first argument is sent, the second one is for the log. Shown as a
 * page at the authorization endpoint.
 */
export class DocumentRefused extends errors.InvalidClient {
  override allow_redirect = false;
}

/** The same for every reason: it must not reveal what a server on the network does (MD4). */
export const cannotFetch =
  'the document at client_id cannot be fetched: it must be JSON of up to 5 KB that a public server returns with status 200 and without redirect';

/** Too many clients are unknown at the same time. Shown as a page, like every error that is not about a known client. */
class DocumentsBusy extends errors.OIDCProviderError {
  override readonly name = 'DocumentsBusy';
  override allow_redirect = false;

  constructor() {
    super(503, 'temporarily_unavailable');
    this.error_description = 'too many unknown clients at the moment; try again later';
  }
}

export function refuseBusy(): Error {
  return new DocumentsBusy();
}

/** The error of a document that was fetched and cannot be stored. Other errors are returned as they are. */
export function explainDocument(error: unknown): unknown {
  if (error instanceof TooManyRegistrations) return refuseBusy();
  if (!(error instanceof MetadataRefused || error instanceof ApplicationRefused)) return error;
  return new DocumentRefused(`the document at client_id is not valid: ${withoutValues(error.message)}`);
}

/** Anyone can link to the page that shows it, so it says nothing that the document says. RFC 6749 §5.2: printable ASCII. */
function withoutValues(message: string): string {
  return message
    .replaceAll(/"(?:[^"\\]|\\.)*"/g, '...')
    .replaceAll('\n', ' ')
    .replaceAll('’', "'")
    .replaceAll(/[^ -~]|["\\]/g, '?');
}
