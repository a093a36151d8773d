/**
 * A file that came as a part of a multipart body. Only the reader of bodies makes one, so nothing in
 * a JSON body can be taken for it.
 */
export class UploadedFile {
  /** Where it lies; removed when the call ends. */
  readonly path: string;
  readonly sha256: string;

  constructor(path: string, sha256: string) {
    this.path = path;
    this.sha256 = sha256;
  }

  /** What tells two files apart; the path does not. */
  toJSON(): { readonly sha256: string } {
    return { sha256: this.sha256 };
  }
}
