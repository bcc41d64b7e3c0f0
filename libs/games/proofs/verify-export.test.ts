import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { eventHash, GENESIS_HASH } from '../fairness/commit.ts';
import { createRootFold } from '../fairness/merkle.ts';
import type { ChainedEvent } from './chained-event.ts';
import { publicKeyOf, signText } from './signature.ts';
import { type ExportManifest, manifestText, verifyExport } from './verify-export.ts';

const SITE = new Uint8Array(32).fill(7);
const THIEF = new Uint8Array(32).fill(8);
const SITE_KEY = publicKeyOf(SITE);
const WALLET = 'So11111111111111111111111111111111111111112';

type Data = (hashes: readonly string[]) => { readonly type: string; readonly data: object };

const bet: Data = () => ({ type: 'BetPlaced', data: { stakeMinor: '100' } });
const rootOf = (hashes: readonly string[]) => {
  const tree = createRootFold();
  for (const hash of hashes) tree.push(Buffer.from(hash, 'hex'));
  return Buffer.from(tree.root()).toString('hex');
};
const sealOf =
  (seal: number, from: number, to: number, part: object = {}): Data =>
  (hashes) => ({
    type: 'LedgerSealed',
    data: {
      seal,
      from,
      to,
      root: rootOf(hashes.slice(from - 1, to)),
      chainHash: hashes[to - 1],
      previousRoot: null,
      ...part,
    },
  });

/** The events of a ledger, chained from its first. */
function ledgerOf(...events: readonly Data[]): readonly ChainedEvent[] {
  const lines: ChainedEvent[] = [];
  for (const [i, make] of events.entries()) {
    const position = i + 1;
    const body = JSON.stringify({ position, ...make(lines.map(({ hash }) => hash)) });
    const previous_hash = lines.at(-1)?.hash ?? GENESIS_HASH;
    lines.push({ position, previous_hash, hash: eventHash(previous_hash, body), body });
  }
  return lines;
}

/** An export of those events. */
function fileOf(
  lines: readonly ChainedEvent[],
  key: Uint8Array | null = SITE,
  part: Partial<ExportManifest> = {},
): readonly string[] {
  const texts = lines.map((line) => JSON.stringify(line));
  const [first, last] = [lines.at(0), lines.at(-1)];
  const manifest: ExportManifest = {
    reelbook_export: 1,
    format: 'jsonl',
    filter: {},
    count: lines.length,
    contiguous: true,
    from: first?.position ?? 1,
    to: last?.position ?? 0,
    head: { position: last?.position ?? 0, hash: last?.hash ?? '' },
    sha256: createHash('sha256')
      .update(texts.map((text) => `${text}\n`).join(''))
      .digest('hex'),
    made_at: '2026-11-23T00:00:00.000Z',
    operator: 'command line',
    ...part,
  };
  const signature = key ? { signature: signText(manifestText(manifest), key) } : {};
  return [...texts, JSON.stringify({ manifest: { ...manifest, ...signature } })];
}

async function* each(lines: readonly string[]) {
  yield* lines;
}

const verify = (file: readonly string[], key: string | null = SITE_KEY) =>
  verifyExport(each(file), key);
const faultsOf = async (file: readonly string[], key: string | null = SITE_KEY) =>
  (await verify(file, key)).faults.map(({ message }) => message);

const LEDGER = ledgerOf(bet, bet, bet, sealOf(1, 1, 3), bet);

test('a signed export is valid; its seals are recomputed, and unsealed events are counted', async () => {
  expect(await verify(fileOf(LEDGER))).toMatchObject({
    faultCount: 0,
    signed: 'by the given key',
    events: 5,
    linked: 4,
    seals: { recomputed: 1, incomplete: 0, to: 3, anchors: 0 },
  });
});

test('refuses an edited body with rewritten hashes, seal and manifest', async () => {
  const raised: Data = () => ({ type: 'BetPlaced', data: { stakeMinor: '900' } });
  const edited = ledgerOf(bet, raised, bet, sealOf(1, 1, 3), bet);
  const manifestOf = (file: readonly string[]) => JSON.parse(file.at(-1) ?? '').manifest;
  const { signature } = manifestOf(fileOf(LEDGER));
  const unsigned = fileOf(edited, null);
  const copied = { manifest: { ...manifestOf(unsigned), signature } };
  expect(await faultsOf([...unsigned.slice(0, -1), JSON.stringify(copied)])).toEqual([
    'the signature of the manifest is not valid',
  ]);
  expect(await faultsOf(fileOf(edited, THIEF))).toEqual([
    `the manifest is signed by another key, ${publicKeyOf(THIEF)}`,
  ]);
  // Without the site's key the file is consistent, and counts as signed by its own key only.
  expect(await verify(fileOf(edited, THIEF), null)).toMatchObject({
    faultCount: 0,
    signed: 'by a key of its own',
  });
  expect(await verify(unsigned)).toMatchObject({ faultCount: 0, signed: 'unsigned' });
});

test('a seal with a wrong root is a fault, also in a file signed by the site', async () => {
  const forged = { root: 'a'.repeat(64) };
  const wrong = ledgerOf(bet, bet, bet, sealOf(1, 1, 3, forged), bet);
  expect(await faultsOf(fileOf(wrong))).toEqual([
    'the root of seal 1 does not match the events #1 to #3',
  ]);
  const chain = ledgerOf(bet, bet, sealOf(1, 1, 2, { chainHash: 'b'.repeat(64) }));
  expect(await faultsOf(fileOf(chain))).toEqual([
    'the root of seal 1 does not match the events #1 to #2',
  ]);
  const second = ledgerOf(bet, sealOf(1, 1, 1), sealOf(2, 2, 2, { previousRoot: 'c'.repeat(64) }));
  expect(await faultsOf(fileOf(second))).toEqual([
    'the previous root of seal 2 differs from the root of seal 1',
  ]);
});

/** Any JSON may be in the text of a forged event. */
const VALUES: readonly unknown[] = [
  null,
  true,
  -1,
  1.5,
  1e300,
  'x',
  '\u0000',
  [],
  {},
  { toString: 1 },
  undefined,
];
test.each(VALUES)('events with %j in place of a value are faults', async (value) => {
  const sealed: Data = (hashes) => ({ type: 'LedgerSealed', data: sealOf(1, 1, 2)(hashes).data });
  const anchored: Data = (hashes) => {
    const root = rootOf(hashes.slice(0, 2));
    const place = { wallet: WALLET, signature: '5'.repeat(88), slot: 9 };
    return {
      type: 'SealAnchored',
      data: { fromSeal: 1, seal: 1, root, sealsRoot: rootOf([root]), ...place },
    };
  };
  const fields = ['seal', 'from', 'to', 'root', 'fromSeal', 'sealsRoot', 'slot'];
  for (const field of ['data', 'position', ...fields]) {
    const altered =
      (make: Data): Data =>
      (hashes) => {
        const { type, data } = make(hashes);
        if (field === 'data' || field === 'position')
          return { type, data, [field]: value } as never;
        return { type, data: field in data ? { ...data, [field]: value } : data };
      };
    const file = fileOf(ledgerOf(bet, bet, altered(sealed), altered(anchored), altered(anchored)));
    expect((await verify(file)).faultCount, field).toBeGreaterThan(0);
  }
});

test('seals of a partial or filtered export are incomplete, and none is reported as valid', async () => {
  const part = fileOf(LEDGER.slice(1));
  expect(await verify(part)).toMatchObject({
    faultCount: 0,
    linked: 3,
    seals: { recomputed: 0, incomplete: 1, to: 0 },
  });
  const filtered = [LEDGER[0], LEDGER[3]].flatMap((line) => line ?? []);
  const file = fileOf(filtered, SITE, { contiguous: false, filter: { types: ['BetPlaced'] } });
  expect(await verify(file)).toMatchObject({
    faultCount: 0,
    linked: 0,
    signed: 'by the given key',
    seals: { recomputed: 0, incomplete: 1 },
  });
});

test('an anchor with other roots than the seals in the file is a fault; a valid one can be looked up', async () => {
  const anchorOf =
    (part: object = {}): Data =>
    (hashes) => {
      const root = rootOf(hashes.slice(0, 2));
      const roots = { root, sealsRoot: rootOf([root]) };
      const place = { wallet: WALLET, signature: '5'.repeat(88), slot: 9 };
      return { type: 'SealAnchored', data: { fromSeal: 1, seal: 1, ...roots, ...place, ...part } };
    };
  const { faultCount, seals } = await verify(
    fileOf(ledgerOf(bet, bet, sealOf(1, 1, 2), anchorOf())),
  );
  expect({ faultCount, anchors: seals.anchors }).toEqual({ faultCount: 0, anchors: 1 });
  expect(seals.newest[0]).toMatchObject({ wallet: WALLET, slot: 9, fromSeal: 1, seal: 1 });
  expect(seals.newest[0]?.memo).toMatch(/^reelbook-anchor-1 seals 1-1 root /);
  for (const part of [{ root: 'd'.repeat(64) }, { sealsRoot: 'd'.repeat(64) }]) {
    const file = fileOf(ledgerOf(bet, bet, sealOf(1, 1, 2), anchorOf(part)));
    expect(await faultsOf(file)).toEqual(['the anchored roots differ from those of seals 1 to 1']);
  }
  const none = ledgerOf(bet, () => ({ type: 'SealAnchored', data: { fromSeal: 1, seal: 'x' } }));
  expect(await faultsOf(fileOf(none))).toEqual([
    'an anchor without seals or without a transaction',
  ]);
});

test('refuses a truncated file, with and without its manifest', async () => {
  const file = fileOf(LEDGER);
  expect(await faultsOf(file.slice(0, -1))).toEqual([
    'the manifest is missing: the file was truncated, or is no export',
  ]);
  expect((await faultsOf(file.toSpliced(3, 2))).join('; ')).toMatch(/the manifest counts 5 events/);
  const counted = { manifest: { ...JSON.parse(file.at(-1) ?? '').manifest, count: 3, to: 3 } };
  const recounted = [...file.slice(0, 3), JSON.stringify(counted)];
  expect(await faultsOf(recounted)).toContain('the signature of the manifest is not valid');
});

test('an invalid signature is a fault and no crash', async () => {
  const file = fileOf(LEDGER, null);
  const { manifest } = JSON.parse(file.at(-1) ?? '');
  for (const signature of [{}, 'x', { algorithm: 'ed25519', public_key: 7, value: [] }]) {
    const signed = JSON.stringify({ manifest: { ...manifest, signature } });
    expect(await faultsOf([...file.slice(0, -1), signed])).toContain(
      'the signature of the manifest is not valid',
    );
  }
});
