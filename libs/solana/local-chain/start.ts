import { createHash, randomBytes } from 'node:crypto';
import { Keypair, SystemProgram } from '@solana/web3.js';
import { keypair } from '../keys.ts';
import type { LocalChain, LocalChainOptions } from './api.ts';
import { type Bank, openBank } from './bank.ts';
import { type Clock, type Genesis, openClock } from './clock.ts';
import { type NodeName, openFaults } from './faults.ts';
import { readMethods } from './methods.ts';
import type { LandedTransaction, StoredAccount } from './record.ts';
import { openSender } from './send.ts';
import { openServer, SECOND_PATH } from './server.ts';
import { openStore, type SavedChain, type Store } from './store.ts';

const SLOT_MS = 400;
const CONFIRM_AFTER_MS = 400;
const FINALIZE_AFTER_MS = 2_000;
const BLOCKHASH_BLOCKS = 150;
const SEED_BYTES = 32;
/** Balance of the purse, below the largest safe integer of JSON. */
const PURSE_LAMPORTS = '9000000000000000';

/** Starts the chain in the folder, or a new one, and serves its RPC. Throws if the port is in use. */
export async function startLocalChain(options: LocalChainOptions): Promise<LocalChain> {
  const { slotMs = SLOT_MS, blockhashBlocks = BLOCKHASH_BLOCKS } = options;
  const blocksIn = (ms: number) => Math.ceil(ms / slotMs);
  const confirmBlocks = blocksIn(options.confirmAfterMs ?? CONFIRM_AFTER_MS);
  const finalBlocks = Math.max(
    confirmBlocks,
    blocksIn(options.finalizeAfterMs ?? FINALIZE_AFTER_MS),
  );
  const { store, saved } = await openStore(options.folder);
  const { genesis, setting, accounts, landed } = saved ?? newChain();
  const manual = options.clock === 'manual';
  const clock = openClock({ genesis, setting, slotMs, manual });
  const bank = openBank({ clock, confirmBlocks, finalBlocks, blockhashBlocks, accounts, landed });
  const keep = keeper(store, bank, clock, genesis);
  if (!saved) await keep.all();
  const { faults, plan } = openFaults({
    lose(signature) {
      bank.lose(signature);
      keep.soon();
    },
    expireBlockhashes() {
      clock.expireBlockhashes();
      keep.setting();
    },
  });
  const purse = purseOf(genesis);
  const sender = openSender({ bank, clock, plan, purse, keep: (one) => keep.landed(one) });
  const ground = { bank, clock, genesisSeed: genesis.seed, blockhashBlocks };
  const methodsOf = (node: NodeName) => ({
    ...readMethods({
      ...ground,
      hides: (signature) => plan.hides(signature, node),
      keptFrom: () => plan.keptFrom(node),
      lag: () => plan.lagOf(node),
    }),
    ...sender.methods,
  });
  const methods = { first: methodsOf('first'), second: methodsOf('second') };
  const server = await openServer({
    host: options.host ?? '127.0.0.1',
    port: options.port ?? 0,
    plan,
    methods: (node) => methods[node],
    beforeCall: sender.landDue,
  });
  const timer = setInterval(sender.landDue, slotMs).unref();
  return {
    url: server.url,
    // With another host name, like a node of another provider.
    urls: [server.url, `${server.url.replace('127.0.0.1', 'localhost')}${SECOND_PATH}`],
    faults,
    blocksToFinal: finalBlocks + 1,
    purse: purse.publicKey.toBase58(),
    airdrop: sender.airdrop,
    run: (instructions, signers) => sender.run(instructions, signers.map(keypair)),
    advance(blocks) {
      clock.advance(blocks);
      keep.setting();
      sender.landDue();
    },
    async close() {
      clearInterval(timer);
      await server.close();
      // Compacts the file, so that the next start is fast.
      await keep.all();
      await store.close();
    },
  };
}

function newChain(): SavedChain {
  const genesis = { seed: randomBytes(SEED_BYTES).toString('hex'), timeMs: Date.now() };
  const purse: StoredAccount = {
    lamports: PURSE_LAMPORTS,
    data: '',
    owner: SystemProgram.programId.toBase58(),
    executable: false,
  };
  return {
    genesis,
    setting: { addedSlots: 0, expired: 0 },
    accounts: new Map([[purseOf(genesis).publicKey.toBase58(), purse]]),
    landed: [],
  };
}

function purseOf({ seed }: Genesis): Keypair {
  return Keypair.fromSeed(createHash('sha256').update(`purse ${seed}`).digest());
}

/** Writes changes to the disk. A disk failure fails the next call, which acknowledges nothing. */
function keeper(store: Store, bank: Bank, clock: Clock, genesis: Genesis) {
  const all = () =>
    store.rewrite({
      genesis,
      setting: clock.setting,
      accounts: bank.accounts(),
      landed: [...bank.landed()],
    });
  return {
    all,
    soon: () => void all().catch(() => {}),
    setting: () => void store.append({ setting: clock.setting }).catch(() => {}),
    landed: (landed: LandedTransaction) => store.append({ landed }),
  };
}
