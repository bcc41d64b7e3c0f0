import { createHash } from 'node:crypto';
import { eventHash, GENESIS_HASH } from '@reelbook/games/fairness/chain';
import { createRootFold } from '@reelbook/games/fairness/merkle';
import type { ChainedEvent } from '@reelbook/games/proofs/chained-event';
import { publicKeyOf, signText } from '@reelbook/games/proofs/signature';
import { expect, test } from 'vitest';
import { type ExportManifest, manifestText } from './export.ts';
import { verifyExport } from './verify-export.ts';

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
      ...{ seal, from, to, root: rootOf(hashes.slice(from - 1, to)), chainHash: hashes[to - 1] },
      ...{ previousRoot: null, ...part },
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

/** A file of those events as an export writes it. */
function fileOf(
  lines: readonly ChainedEvent[],
  key: Uint8Array | null = SITE,
  part: Partial<ExportManifest> = {},
): readonly string[] {
  const texts = lines.map((line) => JSON.stringify(line));
  const [first, last] = [lines.at(0), lines.at(-1)];
  const manifest: ExportManifest = {
    ...{ reelbook_export: 1, format: 'jsonl', filter: {}, count: lines.length, contiguous: true },
    ...{ from: first?.position ?? 1, to: last?.position ?? 0 },
    head: { position: last?.position ?? 0, hash: last?.hash ?? '' },
    sha256: createHash('sha256')
      .update(texts.map((text) => `${text}\n`).join(''))
      .digest('hex'),
    ...{ made_at: '2026-11-23T00:00:00.000Z', operator: 'command line', ...part },
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

test('a signed export holds; its seals are recomputed, and what no seal covers is counted', async () => {
  expect(await verify(fileOf(LEDGER))).toMatchObject({
    ...{ faultCount: 0, signed: 'by the given key', events: 5, linked: 4 },
    seals: { recomputed: 1, incomplete: 0, to: 3, anchors: 0 },
  });
});

test('a body that was edited, with every hash, the seal and the manifest written again, is refused', async () => {
  const raised: Data = () => ({ type: 'BetPlaced', data: { stakeMinor: '900' } });
  const edited = ledgerOf(bet, raised, bet, sealOf(1, 1, 3), bet);
  const manifestOf = (file: readonly string[]) => JSON.parse(file.at(-1) ?? '').manifest;
  const { signature } = manifestOf(fileOf(LEDGER));
  const unsigned = fileOf(edited, null);
  const copied = { manifest: { ...manifestOf(unsigned), signature } };
  expect(await faultsOf([...unsigned.slice(0, -1), JSON.stringify(copied)])).toEqual([
    'the signature of the manifest is not one of its text',
  ]);
  expect(await faultsOf(fileOf(edited, THIEF))).toEqual([
    `the manifest is signed by another key, ${publicKeyOf(THIEF)}`,
  ]);
  // Without the site's key from elsewhere nothing is wrong with it, and it is not taken for the site's.
  expect(await verify(fileOf(edited, THIEF), null)).toMatchObject({
    ...{ faultCount: 0, signed: 'by a key of its own' },
  });
  expect(await verify(unsigned)).toMatchObject({ faultCount: 0, signed: 'unsigned' });
});

test('a seal with another root than its events give is a fault, also in a file signed by the site', async () => {
  const forged = { root: 'a'.repeat(64) };
  const wrong = ledgerOf(bet, bet, bet, sealOf(1, 1, 3, forged), bet);
  expect(await faultsOf(fileOf(wrong))).toEqual([
    'the events #1 to #3 do not give the root of seal 1',
  ]);
  const chain = ledgerOf(bet, bet, sealOf(1, 1, 2, { chainHash: 'b'.repeat(64) }));
  expect(await faultsOf(fileOf(chain))).toEqual([
    'the events #1 to #2 do not give the root of seal 1',
  ]);
  const second = ledgerOf(bet, sealOf(1, 1, 1), sealOf(2, 2, 2, { previousRoot: 'c'.repeat(64) }));
  expect(await faultsOf(fileOf(second))).toEqual([
    'seal 2 names another root before it than seal 1 has',
  ]);
  expect(await faultsOf(fileOf(ledgerOf(bet, () => ({ type: 'LedgerSealed', data: {} }))))).toEqual(
    ['a seal without a range'],
  );
});

test('a part of the ledger and a filter leave seals incomplete, and none of them is said to hold', async () => {
  const part = fileOf(LEDGER.slice(1));
  expect(await verify(part)).toMatchObject({
    ...{ faultCount: 0, linked: 3 },
    seals: { recomputed: 0, incomplete: 1, to: 0 },
  });
  const filtered = [LEDGER[0], LEDGER[3]].flatMap((line) => line ?? []);
  const file = fileOf(filtered, SITE, { contiguous: false, filter: { types: ['BetPlaced'] } });
  expect(await verify(file)).toMatchObject({
    ...{ faultCount: 0, linked: 0, signed: 'by the given key' },
    seals: { recomputed: 0, incomplete: 1 },
  });
});

test('an anchor of other roots than the seals in the file is a fault; one that holds is ready to look up', async () => {
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
    expect(await faultsOf(file)).toEqual(['it anchors other roots than those of the seals 1 to 1']);
  }
  const none = ledgerOf(bet, () => ({ type: 'SealAnchored', data: { fromSeal: 1, seal: 'x' } }));
  expect(await faultsOf(fileOf(none))).toEqual([
    'an anchor without seals or without a transaction',
  ]);
});

test('a file that was cut is refused, with its manifest and without', async () => {
  const file = fileOf(LEDGER);
  expect(await faultsOf(file.slice(0, -1))).toEqual([
    'the manifest is missing: the file was cut off, or is no export',
  ]);
  expect((await faultsOf(file.toSpliced(3, 2))).join('; ')).toMatch(/the manifest counts 5 events/);
  const counted = { manifest: { ...JSON.parse(file.at(-1) ?? '').manifest, count: 3, to: 3 } };
  const recounted = [...file.slice(0, 3), JSON.stringify(counted)];
  expect(await faultsOf(recounted)).toContain(
    'the signature of the manifest is not one of its text',
  );
});

test('a signature that is none is a fault and no crash', async () => {
  const file = fileOf(LEDGER, null);
  const { manifest } = JSON.parse(file.at(-1) ?? '');
  for (const signature of [{}, 'x', { algorithm: 'ed25519', public_key: 7, value: [] }]) {
    const signed = JSON.stringify({ manifest: { ...manifest, signature } });
    expect(await faultsOf([...file.slice(0, -1), signed])).toContain(
      'the signature of the manifest is not one of its text',
    );
  }
});
