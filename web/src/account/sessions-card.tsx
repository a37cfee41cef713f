import type { SessionsResponse } from '../../../src/auth/tokens/sessions.dto.js';
import { useAccount } from '../account.js';
import { readPlain, sendDelete, signOut } from '../api/service.js';
import { currentSession } from '../api/session.js';
import { Button } from '../components/button.js';
import { Card } from '../components/card.js';
import { momentText, placeOf } from '../dates.js';
import { Show, useLoad } from '../use-load.js';

/** Lists where the user is signed in, and ends sessions. */
export function SessionsCard() {
  const { timeZone } = useAccount();
  const loaded = useLoad(() => readPlain<SessionsResponse>('/api/v1/auth/sessions'), []);
  const end = (id: string): Promise<unknown> =>
    sendDelete(`/api/v1/auth/sessions/${id}`).finally(loaded.reload);
  return (
    <Card title="Sessions" note={`times of ${placeOf(timeZone)}`}>
      <p>
        Signing out ends this session in all tabs of this browser. Signing out everywhere ends every
        session of {currentSession()?.username}, on other computers and in programs too.
      </p>
      <Show of={loaded}>
        {({ sessions }) => (
          <ul class="sessions">
            {sessions.slice(0, 20).map(({ id, since, address, current }) => (
              <li key={id}>
                since {momentText(String(since), timeZone)} from {address ?? 'an unknown address'}{' '}
                {current ? <b>this one</b> : <Button act={() => end(id)}>End</Button>}
              </li>
            ))}
          </ul>
        )}
      </Show>
      <p class="actions">
        <Button act={() => signOut()}>Sign out</Button>
        <Button act={() => signOut(true)}>Sign out everywhere</Button>
      </p>
    </Card>
  );
}
