/**
 * A file from a part of a multipart body. Only the body reader creates one, so no value of a JSON body can
 * pass for it.
 */
export class UploadedFile {
  /** Path of the received file, which is removed when the request ends. */
  readonly path: string;
  readonly sha256: string;

  constructor(path: string, sha256: string) {
    this.path = path;
    this.sha256 = sha256;
  }

  /** Two files with the same content are equal, whatever their paths. */
  toJSON(): { readonly sha256: string } {
    return { sha256: this.sha256 };
  }
}
