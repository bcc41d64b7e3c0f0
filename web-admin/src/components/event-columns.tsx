import type { AdminData } from '@reelbook/contract/admin/routes';
import { timeText } from '../lib/times.ts';
import { Actor, PositionChip } from './chips.tsx';
import type { Column } from './data-table.tsx';
import { EventSentence } from './sentence.tsx';

type Target = Pick<AdminData<'statement'>['lines'][number], 'type' | 'facts' | 'what'>;

/** Columns that all tables of events share. */
export function eventColumns() {
  return {
    position: <Row extends { position: number }>(): Column<Row> => ({
      id: 'position',
      header: 'Position',
      cell: ({ row }) => <PositionChip position={row.original.position} />,
      meta: { phone: 'lead' },
    }),
    /** Pass `dateTimeText` to show the day on every row. */
    time: <Row extends { time: string }>(
      textOf: (iso: string) => string = timeText,
    ): Column<Row> => ({
      id: 'time',
      header: 'Time (UTC)',
      cell: ({ row }) => (
        <span
          className="whitespace-nowrap font-mono text-fg-2 text-xs"
          data-value={row.original.time}
        >
          {textOf(row.original.time)}
        </span>
      ),
    }),
    what: <Row extends Target>(): Column<Row> => ({
      id: 'what',
      header: 'Description',
      cell: ({ row: { original: event } }) => (
        <span className="block md:min-w-56">
          <EventSentence type={event.type} facts={event.facts} text={event.what} />
        </span>
      ),
    }),
    actor: <Row extends { actor: string }>(): Column<Row> => ({
      id: 'actor',
      header: 'Actor',
      cell: ({ row }) => <Actor actor={row.original.actor} />,
    }),
  };
}
