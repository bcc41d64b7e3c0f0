/**
 * One-dimensional Postgres arrays in the binary wire format. `pg` sends a Buffer as a binary parameter; its own
 * text arrays are quoted here and unquoted there, which costs a quarter of the append rate
 * (format: src/backend/utils/adt/arrayfuncs.c, array_recv).
 */
const HEADER_BYTES = 20;
const OID = { bool: 16, bytea: 17, int8: 20, int4: 23, text: 25, uuid: 2950 } as const;

function build(oid: number, elements: readonly Buffer[]): Buffer {
  let size = HEADER_BYTES;
  for (const element of elements) size += 4 + element.length;
  const out = Buffer.allocUnsafe(size);
  out.writeInt32BE(elements.length === 0 ? 0 : 1, 0); // dimensions
  out.writeInt32BE(0, 4); // no nulls
  out.writeInt32BE(oid, 8);
  if (elements.length === 0) return out.subarray(0, 12);
  out.writeInt32BE(elements.length, 12);
  out.writeInt32BE(1, 16); // lower bound
  let at = HEADER_BYTES;
  for (const element of elements) {
    out.writeInt32BE(element.length, at);
    element.copy(out, at + 4);
    at += 4 + element.length;
  }
  return out;
}

export function textArray(values: readonly string[]): Buffer {
  return build(
    OID.text,
    values.map((value) => Buffer.from(value, 'utf8')),
  );
}

export function byteaArray(values: readonly Buffer[]): Buffer {
  return build(OID.bytea, values);
}

/** UUIDs as their 16 bytes. */
export function uuidArray(values: readonly Buffer[]): Buffer {
  return build(OID.uuid, values);
}

export function int4Array(values: readonly number[]): Buffer {
  return build(
    OID.int4,
    values.map((value) => {
      const bytes = Buffer.allocUnsafe(4);
      bytes.writeInt32BE(value);
      return bytes;
    }),
  );
}

export function int8Array(values: readonly (number | bigint)[]): Buffer {
  return build(
    OID.int8,
    values.map((value) => {
      const bytes = Buffer.allocUnsafe(8);
      bytes.writeBigInt64BE(BigInt(value));
      return bytes;
    }),
  );
}

export function boolArray(values: readonly boolean[]): Buffer {
  return build(
    OID.bool,
    values.map((value) => Buffer.from([value ? 1 : 0])),
  );
}
