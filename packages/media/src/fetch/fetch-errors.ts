/** The file is larger than `maxBytes`. */
export class FileTooLarge extends Error {
  override readonly name = 'FileTooLarge';
}

/** The file could not be fetched. The cause is for the log and must not reach the caller (MD4). */
export class FetchFailed extends Error {
  override readonly name = 'FetchFailed';
}
