/**
 * One-dimensional Postgres arrays in the binary wire format. `pg` sends a Buffer as a binary parameter; its own
 * text arrays are quoted here and unquoted there, which costs a quarter of the append rate
 * (format: src/backend/utils/adt/arrayfuncs.c, array_recv). Each is written into one Buffer: small ones for every
 * element would be most of this process's garbage.
 */
const EMPTY_HEADER_BYTES = 12;
const HEADER_BYTES = 20;
const LENGTH_BYTES = 4;
const UUID_BYTES = 16;
const OID = { bool: 16, bytea: 17, int8: 20, int4: 23, text: 25, uuid: 2950 } as const;

/** `write` puts the element at an offset; `bytes` says how long it is. */
function build<T>(
  oid: number,
  elements: readonly T[],
  bytes: (element: T) => number,
  write: (out: Buffer, element: T, at: number) => void,
): Buffer {
  const lengths = elements.map(bytes);
  const total = lengths.reduce((sum, length) => sum + LENGTH_BYTES + length, HEADER_BYTES);
  const out = Buffer.allocUnsafe(total);
  out.writeInt32BE(elements.length === 0 ? 0 : 1, 0); // dimensions
  out.writeInt32BE(0, 4); // no nulls
  out.writeInt32BE(oid, 8);
  if (elements.length === 0) return out.subarray(0, EMPTY_HEADER_BYTES);
  out.writeInt32BE(elements.length, 12);
  out.writeInt32BE(1, 16); // lower bound
  let at = HEADER_BYTES;
  for (const [index, element] of elements.entries()) {
    const length = lengths[index] ?? 0;
    out.writeInt32BE(length, at);
    write(out, element, at + LENGTH_BYTES);
    at += LENGTH_BYTES + length;
  }
  return out;
}

export function textArray(values: readonly string[]): Buffer {
  return build(OID.text, values, Buffer.byteLength, (out, value, at) =>
    out.write(value, at, 'utf8'),
  );
}

/** Bytes in hex. */
export function byteaArray(values: readonly string[]): Buffer {
  return build(
    OID.bytea,
    values,
    (value) => value.length / 2,
    (out, value, at) => out.write(value, at, 'hex'),
  );
}

/** UUIDs as 32 hex digits. */
export function uuidArray(values: readonly string[]): Buffer {
  return build(
    OID.uuid,
    values,
    () => UUID_BYTES,
    (out, value, at) => out.write(value, at, UUID_BYTES, 'hex'),
  );
}

export function int4Array(values: readonly number[]): Buffer {
  return build(
    OID.int4,
    values,
    () => 4,
    (out, value, at) => out.writeInt32BE(value, at),
  );
}

export function int8Array(values: readonly (number | bigint)[]): Buffer {
  return build(
    OID.int8,
    values,
    () => 8,
    (out, value, at) => out.writeBigInt64BE(BigInt(value), at),
  );
}

export function boolArray(values: readonly boolean[]): Buffer {
  return build(
    OID.bool,
    values,
    () => 1,
    (out, value, at) => out.writeUInt8(value ? 1 : 0, at),
  );
}
