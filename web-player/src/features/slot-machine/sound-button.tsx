import { SoundIcon, SoundOffIcon } from '@reelbook/web/components/icons';
import { useStore } from '@reelbook/web/store';
import { useTranslation } from 'react-i18next';
import { chooseSound, sound } from './sound.ts';

export function SoundButton() {
  const { t } = useTranslation();
  const isOn = useStore(sound);
  const name = t('slot.sound');
  return (
    <button
      type="button"
      className="fair-link"
      aria-pressed={isOn}
      aria-label={name}
      title={name}
      onClick={() => chooseSound(!isOn)}
    >
      {isOn ? <SoundIcon /> : <SoundOffIcon />}
    </button>
  );
}
