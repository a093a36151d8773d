/**
 * ES256 signatures (RFC 7518 §3.4) by `node:crypto` with a bare key object. That is the fast path of OpenSSL: with the
 * option `dsaEncoding`, or through WebCrypto, a signature costs twice as much. It encodes a signature as DER (RFC 3279
 * §2.2.3), so it is converted here. `es256.test.ts` compares with jose.
 */
import { createPrivateKey, sign } from 'node:crypto';

import type { PrivateEs256Jwk } from './signing-key.ts';

/** Bytes of each of the two integers. */
const integerBytes = 32;

/** The signature as r ‖ s, 64 bytes. */
export type SignEs256 = (data: Uint8Array) => Buffer;

export function createEs256Signer(jwk: PrivateEs256Jwk): SignEs256 {
  const key = createPrivateKey({ key: jwk, format: 'jwk' });
  return (data) => fromDer(sign('sha256', data, key));
}

/** `SEQUENCE { INTEGER r, INTEGER s }` to r ‖ s. Each part has one byte of length: the whole is at most 72 bytes. */
function fromDer(der: Buffer): Buffer {
  const joined = Buffer.alloc(2 * integerBytes);
  const lengthOfR = der.readUInt8(3);
  copyInteger(der.subarray(4, 4 + lengthOfR), joined.subarray(0, integerBytes));
  copyInteger(der.subarray(6 + lengthOfR), joined.subarray(integerBytes));
  return joined;
}

/** DER omits leading zeros, and adds one if the first bit is set. */
function copyInteger(integer: Buffer, target: Buffer): void {
  const bytes = integer.subarray(Math.max(0, integer.length - integerBytes));
  bytes.copy(target, integerBytes - bytes.length);
}
