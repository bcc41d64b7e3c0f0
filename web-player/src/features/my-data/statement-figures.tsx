import type { Statement } from '@reelbook/contract/player/own-data';
import { Line } from '@reelbook/web/components/card';
import { amountText, dateTime, formatInteger, signedText } from '@reelbook/web/format';
import { useTranslation } from 'react-i18next';
import type { Zone } from '../../lib/period.ts';

type AssetStatement = Statement['assets'][number];

/** `2026-11-25 14:32:07`, in the zone of the period. */
const timeIn = (zone: Zone, iso: string) =>
  zone === 'utc'
    ? `${new Date(iso).toISOString().slice(0, 19).replace('T', ' ')} UTC`
    : dateTime(iso);

/** The figures of a statement: both balances, the result of play, and lifetime sums. */
export function Figures({ statement, zone }: { statement: Statement; zone: Zone }) {
  const { t } = useTranslation();
  const { from, to, to_position: position, play, lifetime } = statement;
  const points = (text: string) => amountText('points', Number(text));
  const bsm = (text: string) => `${amountText('token', Number(text))} BSM`;
  return (
    <>
      <p className="py-3 text-fg-2 text-sm">
        {t('myData.covers', {
          from: from === null ? t('myData.start') : timeIn(zone, from),
          to: timeIn(zone, to),
          position: formatInteger(position),
        })}
      </p>
      <div className="grid items-start gap-x-8 gap-y-6 *:min-w-0 lg:grid-cols-2">
        {statement.assets.map((one) => (
          <Asset key={one.asset} one={one} />
        ))}
        <section>
          <h3 className="mb-1 text-base">{t('myData.play')}</h3>
          <dl>
            <Line label={t('myData.bets')}>{formatInteger(play.bets)}</Line>
            <Line label={t('myData.staked')}>{points(play.staked)}</Line>
            <Line label={t('myData.won')}>{points(play.won)}</Line>
            <Line label={t('myData.returned')}>{points(play.returned)}</Line>
            <Line label={<strong>{t('myData.net')}</strong>}>
              <strong>{signedText('points', Number(play.net))}</strong>
            </Line>
          </dl>
        </section>
        <section>
          <h3 className="mb-1 text-base">{t('myData.lifetime')}</h3>
          <dl>
            <Line label={t('myData.deposited')}>{bsm(lifetime.deposited)}</Line>
            <Line label={t('myData.withdrawn')}>{bsm(lifetime.withdrawn)}</Line>
          </dl>
        </section>
      </div>
    </>
  );
}

function Asset({ one }: { one: AssetStatement }) {
  const { t } = useTranslation();
  const { asset, terms } = one;
  const text = (amount: string) => amountText(asset, Number(amount));
  const signed = (amount: string) => signedText(asset, Number(amount));
  return (
    <table className="sums">
      <caption>{t(asset === 'points' ? 'header.points' : 'wallet.token')}</caption>
      <thead className="sr-only">
        <tr>
          <th>{t('transactions.column.what')}</th>
          <th>{t('myData.count')}</th>
          <th>{t('transactions.column.amount')}</th>
        </tr>
      </thead>
      <tbody>
        <tr>
          <th scope="row">{t('myData.opening')}</th>
          <td />
          <td>{text(one.opening)}</td>
        </tr>
        {terms.map(({ type, direction, amount, events }) => (
          <tr key={`${type} ${direction}`}>
            <th scope="row">
              {type === 'withdraw' && direction === 'credit'
                ? t('myData.withdrawalReturned')
                : t(`transactions.type.${type}`)}
            </th>
            <td className="text-fg-3">× {formatInteger(events)}</td>
            <td className={direction === 'credit' ? 'text-mint' : 'text-coral'}>
              {signed(amount)}
            </td>
          </tr>
        ))}
      </tbody>
      <tfoot>
        <tr>
          <th scope="row">{t('myData.closing')}</th>
          <td />
          <td>{text(one.closing)}</td>
        </tr>
      </tfoot>
    </table>
  );
}
