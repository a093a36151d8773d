/** As formidable describes it. */
interface ReceivedPart {
  readonly filepath: string;
  readonly hash: string;
  readonly size: number;
}

/**
 * A file from a part of a multipart body. Only the body reader creates one, so no value of a JSON body can
 * pass for it.
 */
export class UploadedFile {
  /** Path of the received file, which is removed when the request ends. */
  readonly path: string;
  readonly sha256: string;
  /** What was received. On a full disk the file has less. */
  readonly bytes: number;

  constructor({ filepath, hash, size }: ReceivedPart) {
    this.path = filepath;
    this.sha256 = hash;
    this.bytes = size;
  }

  /** Two files with the same content are equal, whatever their paths. */
  toJSON(): { readonly sha256: string } {
    return { sha256: this.sha256 };
  }
}
