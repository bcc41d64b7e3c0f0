import { Actor, PositionChip } from './chips.tsx';

/** Who proposed or approved, and why, for the operator who decides next. */
export function ProposedBy(props: { by: string; reason: string | null; position?: number }) {
  const { by, reason, position } = props;
  return (
    <p className="wrap-anywhere text-fg-2 text-sm" data-testid="proposed-by">
      <Actor actor={by} />
      {reason !== null && (
        <>
          : <bdi>{reason}</bdi>
        </>
      )}{' '}
      {position !== undefined && <PositionChip position={position} />}
    </p>
  );
}
