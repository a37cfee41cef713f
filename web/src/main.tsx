import { render } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { AccountContext, loadAccount } from './account.js';
import { currentSession, onSessionChange, signOut } from './api/service.js';
import { CalendarView } from './calendar/calendar-view.js';
import { isDate } from './dates.js';
import { DayView } from './day/day-view.js';
import { RangeView } from './range/range-view.js';
import { useRoute } from './route.js';
import { SignIn } from './sign-in.js';
import { UploadView } from './upload/upload-view.js';
import { useUploads, type Uploads } from './upload/use-uploads.js';
import { Progress, useLoad } from './use-load.js';

/** Shows the sign-in, or the view of the address. */
function App() {
  const [{ session, notice }, setState] = useState({ session: currentSession(), notice: '' });
  useEffect(() => onSessionChange((session, notice = '') => setState({ session, notice })), []);
  if (!session) return <SignIn notice={notice} />;
  return <SignedIn key={session.token} username={session.username} />;
}

const VIEWS = { '': 'Calendar', range: 'Sales', upload: 'Upload' };

function SignedIn({ username }: { username: string }) {
  const { view } = useRoute();
  const uploads = useUploads();
  const loaded = useLoad(loadAccount, []);
  const leave = (): void => {
    if (!uploads.isWaiting || confirm('Files are not uploaded yet. Sign out?')) void signOut();
  };
  return (
    <>
      <header class="bar">
        <nav aria-label="Views">
          {Object.entries(VIEWS).map(([name, label]) => (
            <a href={`#/${name}`} aria-current={name === view ? 'page' : undefined}>
              {label}
            </a>
          ))}
        </nav>
        <span class="user">{username}</span>
        <button type="button" onClick={leave}>
          Sign out
        </button>
      </header>
      <main>
        <Progress of={loaded} />
        {loaded.value && (
          <AccountContext.Provider value={{ ...loaded.value, reload: loaded.reload }}>
            <View uploads={uploads} />
          </AccountContext.Provider>
        )}
      </main>
    </>
  );
}

function View({ uploads }: { uploads: Uploads }) {
  const { view, parts } = useRoute();
  const [id = '', date] = parts;
  if (view === 'day' && /^[1-9]\d*$/.test(id) && isDate(date))
    return <DayView key={`${id} ${date}`} id={id} date={date} />;
  if (view === 'range') return <RangeView />;
  if (view === 'upload') return <UploadView uploads={uploads} />;
  return <CalendarView />;
}

render(<App />, document.getElementById('app')!);
