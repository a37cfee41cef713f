import { useEffect, useRef, useState } from 'preact/hooks';
import { readWays } from './api/company.js';
import { post } from './api/service.js';
import { currentSession, endSession } from './api/session.js';
import { Notice } from './components/card.js';
import { useEvents } from './use-events.js';

const CHECK_MS = 5000;
const WARN_MS = 60_000;

/** Signs out without use in any tab, and says so a minute before; the view stays below. */
export function Idle() {
  const [isWarning, setWarning] = useState(false);
  const used = useRef({ at: Date.now(), channel: new BroadcastChannel('use') }).current;
  const use = (): void => {
    used.at = Date.now();
    setWarning(false);
  };
  useEvents(['keydown', 'pointerdown', 'pointermove', 'touchstart'], () => {
    if (Date.now() - used.at > CHECK_MS) used.channel.postMessage('used');
    use();
  });
  useEffect(() => {
    let limitMs = Infinity;
    used.channel.onmessage = use;
    void readWays().then(
      ({ sign_out_minutes: minutes }) => (limitMs = minutes * 60_000),
      () => undefined,
    );
    const timer = setInterval(() => {
      const unusedMs = Date.now() - used.at;
      setWarning(unusedMs > limitMs - WARN_MS);
      if (unusedMs < limitMs || !currentSession()) return;
      void post('/api/v1/auth/revoke', {}).catch(() => undefined);
      endSession();
    }, CHECK_MS);
    return () => {
      clearInterval(timer);
      used.channel.close();
    };
  }, []);
  return isWarning ? (
    <Notice kind="warn" role="alert">
      Nothing was done here for a while: you will be signed out in a minute. Press any key to stay.
    </Notice>
  ) : null;
}
