import { Field } from '@reelbook/web/components/field';
import { useEffect, useRef, useState } from 'react';
import { findPoint, type Point } from '../lib/point-in-time.ts';
import { toastRefusal } from '../lib/refusal-text.ts';

const TYPED_MAX = 40;

const textOf = ({ position, asked }: Point) => asked ?? String(position ?? '');

/** A field for a point in time: a position or a time. What is none stays in it, with the reason below. */
export function PointField(props: { label: string; point: Point; onChange(point: Point): void }) {
  const { label, point, onChange } = props;
  const given = textOf(point);
  const [typed, setTyped] = useState(given);
  const [fault, setFault] = useState<string | null>(null);
  const taken = useRef({ typed, given });
  useEffect(() => {
    if (taken.current.given === given) return;
    // Not by this field: a link or the time bar has changed it.
    taken.current = { typed: given, given };
    setTyped(given);
    setFault(null);
  }, [given]);
  async function take(): Promise<void> {
    if (typed === taken.current.typed) return;
    try {
      const found = typed.trim() ? await findPoint(typed) : { position: null, asked: null };
      setFault('fault' in found ? found.fault : null);
      if ('fault' in found) return;
      taken.current = { typed, given: textOf(found) };
      onChange(found);
    } catch (error) {
      toastRefusal(error);
    }
  }
  return (
    <form
      className="w-64 max-md:w-full"
      onBlur={() => void take()}
      onSubmit={(event) => {
        event.preventDefault();
        void take();
      }}
    >
      <Field label={label} value={typed} onChange={setTyped} maxLength={TYPED_MAX} error={fault} />
    </form>
  );
}
