import { hashServerSeed } from '@reelbook/games/fairness/commit';
import { createDraws, isServerSeed, type RoundDraws } from '@reelbook/games/fairness/draw';
import type { Game } from '@reelbook/games/game';
import { games } from '@reelbook/games/rules';
import { readSlotOutcome, slotMachine } from '@reelbook/games/slot-machine/rules';
import { views } from '@reelbook/games/views';
import type { Choice, Outcome } from '@reelbook/ledger/player/events';
import { Button } from '@reelbook/web/components/button';
import { Card, Line } from '@reelbook/web/components/card';
import { Field } from '@reelbook/web/components/field';
import { Select } from '@reelbook/web/components/select';
import { Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router';
import { ChoiceFields } from '../../components/choice-fields.tsx';
import { rowKey } from '../../components/row-name.ts';
import { SymbolRow } from '../../components/symbol-row.tsx';
import { ROUND_PARAM } from '../../lib/paths.ts';
import { isClientSeed } from '../../lib/seeds.ts';

/** The least stake of any game: no maximum applies, and the draw does not depend on it. */
const LEAST = { stakeMinor: 1_000n, lines: 1 };

/** The result that follows from the seeds alone, computed in this browser. */
export function Recomputed(props: {
  hash: string;
  draws: RoundDraws;
  game: Game;
  rules: string;
  choice: Choice | undefined;
}) {
  const { hash, draws, game, rules, choice } = props;
  const { t } = useTranslation();
  const { outcome, payoutMinor } = game.draw({ rules, choice, draws, ...LEAST });
  return (
    <>
      <dl>
        <Line label={t('verify.committed')}>
          <span className="break-all text-xs">{hash}</span>
        </Line>
        {game.id === slotMachine.id && <SlotOutcome outcome={outcome} />}
        <Line label={t('paytable.pays')}>{Number(payoutMinor) / Number(LEAST.stakeMinor)}×</Line>
      </dl>
      {game.id !== slotMachine.id && <AnyOutcome game={game} outcome={outcome} choice={choice} />}
    </>
  );
}

function SlotOutcome({ outcome }: { outcome: Outcome }) {
  const { t } = useTranslation();
  const { symbols, row } = readSlotOutcome(outcome);
  return (
    <Line label={t('verify.symbols')}>
      <SymbolRow symbols={symbols} label={t(rowKey(row))} /> {t(rowKey(row))}
    </Line>
  );
}

function AnyOutcome(props: { game: Game; outcome: Outcome; choice: Choice | undefined }) {
  const { game, outcome, choice } = props;
  const View = views[game.id];
  return (
    View && (
      <div className="mx-auto my-3 max-w-[220px]">
        <Suspense fallback={null}>
          <View outcome={outcome} choice={choice} />
        </Suspense>
      </div>
    )
  );
}

/** Plain, or in groups as this site formats it. */
const NONCE_PATTERN = /^(\d{1,9}|\d{1,3}(,\d{3}){1,2})$/;
const ROUND_ID_MAX = 64;

/** Verifies any round, by its id or by its seeds alone; the latter without a server. */
export function VerifyForm() {
  const { t } = useTranslation();
  return (
    <Card title={t('verify.title')}>
      <ById />
      <div className="my-4 border-line border-t" />
      <BySeeds />
    </Card>
  );
}

function ById() {
  const { t } = useTranslation();
  const [id, setId] = useState('');
  const [, setSearch] = useSearchParams();
  return (
    <form
      className="grid grid-cols-[1fr_auto] items-end gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        if (id.trim()) setSearch({ [ROUND_PARAM]: id.trim() }, { preventScrollReset: true });
      }}
    >
      <Field label={t('eventField.round')} value={id} maxLength={ROUND_ID_MAX} onChange={setId} />
      <Button type="submit" disabled={!id.trim()}>
        {t('verify.open')}
      </Button>
    </form>
  );
}

function BySeeds() {
  const { t } = useTranslation();
  const [serverSeed, setServerSeed] = useState('');
  const [clientSeed, setClientSeed] = useState('');
  const [nonce, setNonce] = useState('0');
  const [rules, setRules] = useState(games[0]?.rulesIds[0] ?? '');
  const game = games.find(({ rulesIds }) => rulesIds.includes(rules));
  const [chosen, setChosen] = useState<Choice>({});
  const choice = game?.choice ? { ...game.choice.initial, ...chosen } : undefined;
  const isClient = clientSeed === '' || isClientSeed(clientSeed);
  const plain = nonce.replaceAll(',', '');
  return (
    <div className="grid gap-3">
      <p className="text-fg-2 text-sm">{t('verify.bySeeds')}</p>
      <Field
        label={t('eventField.serverSeed')}
        value={serverSeed}
        onChange={(text) => setServerSeed(text.trim())}
        error={serverSeed === '' || isServerSeed(serverSeed) ? null : t('verify.badSeed')}
      />
      <Field
        label={t('eventField.clientSeed')}
        value={clientSeed}
        onChange={setClientSeed}
        error={isClient ? null : t('fairness.badClientSeed')}
      />
      <div className="grid grid-cols-2 gap-3">
        <Field
          label={t('eventField.nonce')}
          value={nonce}
          onChange={(text) => setNonce(text.trim())}
          error={nonce === '' || NONCE_PATTERN.test(nonce) ? null : t('verify.badNonce')}
        />
        <Select
          isSmall
          label={t('eventField.rules')}
          value={rules}
          options={games.flatMap(({ rulesIds }) => rulesIds.map((id) => [id, id] as const))}
          onChange={(id) => {
            setRules(id);
            setChosen({});
          }}
        />
      </div>
      {game && choice && (
        <ChoiceFields
          game={game}
          choice={choice}
          onChange={(one) => setChosen({ ...chosen, ...one })}
        />
      )}
      <div aria-live="polite">
        {isServerSeed(serverSeed) && isClient && NONCE_PATTERN.test(nonce) && game ? (
          <Recomputed
            hash={hashServerSeed(serverSeed)}
            draws={createDraws({ serverSeed, clientSeed, nonce: Number(plain) })}
            game={game}
            rules={rules}
            choice={choice}
          />
        ) : (
          <p className="text-fg-3 text-sm">{t('verify.waiting')}</p>
        )}
      </div>
    </div>
  );
}
