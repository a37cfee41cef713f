import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { onSessionChange, signOut, type Session } from './api/session.js';
import { CalendarView } from './calendar/calendar-view.js';
import { DayView } from './day/day-view.js';
import { isDate } from './dates.js';
import { RangeView } from './range/range-view.js';
import { RestaurantsContext, useGrantedRestaurants } from './restaurants.js';
import { UploadView } from './upload/upload-view.js';
import { useRoute, type Route } from './route.js';
import { SignIn } from './sign-in.js';

/** Shows the sign-in, or the view of the address. */
export function App(): JSX.Element {
  const [session, setSession] = useState<Session>();
  const [notice, setNotice] = useState<string>();
  useEffect(() => {
    onSessionChange((next, reason) => {
      setSession(next);
      setNotice(reason);
    });
  }, []);
  return session ? <SignedIn key={session.token} username={session.username} /> : <SignIn notice={notice} />;
}

function SignedIn({ username }: { readonly username: string }): JSX.Element {
  const route = useRoute();
  const { value: restaurants = [], error } = useGrantedRestaurants();
  return (
    <RestaurantsContext.Provider value={restaurants}>
      <header class="bar">
        <Navigation current={route.view} />
        <span class="user">{username}</span>
        <button type="button" onClick={() => void signOut()}>
          Sign out
        </button>
      </header>
      <main>
        {error && <p role="alert">{error}</p>}
        <View route={route} />
      </main>
    </RestaurantsContext.Provider>
  );
}

const VIEWS = [
  ['', 'Calendar'],
  ['range', 'Range'],
  ['upload', 'Upload'],
] as const;

function Navigation({ current }: { readonly current: string }): JSX.Element {
  return (
    <nav aria-label="Views">
      {VIEWS.map(([view, label]) => (
        <a href={`#/${view}`} aria-current={view === current ? 'page' : undefined}>
          {label}
        </a>
      ))}
    </nav>
  );
}

function View({ route }: { readonly route: Route }): JSX.Element {
  const [restaurantId = '', date] = route.parts;
  if (route.view === 'day' && /^[1-9]\d*$/.test(restaurantId) && isDate(date)) {
    return <DayView key={`${restaurantId} ${date}`} restaurantId={Number(restaurantId)} date={date} />;
  }
  if (route.view === 'range') return <RangeView query={route.query} />;
  if (route.view === 'upload') return <UploadView />;
  return <CalendarView query={route.query} />;
}
