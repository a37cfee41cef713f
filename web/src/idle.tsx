import { useEffect, useState } from 'preact/hooks';
import { readWays } from './api/company.js';
import { post } from './api/service.js';
import { currentSession, endSession } from './api/session.js';
import { Notice } from './components/notice.js';

const CHECK_MS = 5000;
const WARN_MS = 60_000;
const EVENTS = ['keydown', 'pointerdown', 'pointermove', 'touchstart'];

/** Signs out without use in any tab, and says so a minute before; the view stays below. */
export function Idle() {
  const [isWarning, setWarning] = useState(false);
  useEffect(() => {
    let usedAt = Date.now();
    let limitMs = Infinity;
    const channel = new BroadcastChannel('use');
    const use = (): void => {
      if (Date.now() - usedAt > CHECK_MS) channel.postMessage('used');
      usedAt = Date.now();
      setWarning(false);
    };
    channel.addEventListener('message', () => {
      usedAt = Date.now();
      setWarning(false);
    });
    void readWays().then(
      ({ sign_out_minutes: minutes }) => (limitMs = minutes * 60_000),
      () => undefined,
    );
    const check = (): void => {
      const unusedMs = Date.now() - usedAt;
      setWarning(unusedMs > limitMs - WARN_MS);
      if (unusedMs < limitMs || !currentSession()) return;
      void post('/api/v1/auth/revoke', {}).catch(() => undefined);
      endSession();
    };
    const timer = setInterval(check, CHECK_MS);
    for (const name of EVENTS) addEventListener(name, use);
    return () => {
      clearInterval(timer);
      for (const name of EVENTS) removeEventListener(name, use);
      channel.close();
    };
  }, []);
  return isWarning ? (
    <Notice kind="warn" role="alert">
      Nothing was done here for a while: you will be signed out in a minute. Press any key to stay.
    </Notice>
  ) : null;
}
