import { useEffect, useState } from 'preact/hooks';
import { AccountContext, loadAccount, useAccount } from './account.js';
import { signOut } from './api/service.js';
import { Menu } from './components/menu.js';
import { Notice } from './components/notice.js';
import { CopyLink } from './copy-link.js';
import { isDate } from './dates.js';
import { type Drafts, DraftsContext } from './day/drafts.js';
import { FindBox } from './find-box.js';
import { lazy } from './lazy.js';
import { Mark } from './mark.js';
import { useRoute } from './route.js';
import { TodayView } from './today/today-view.js';
import { type Uploads, useUploads } from './upload/uploads.js';
import { Progress, useLoad, useWhenInFront } from './use-load.js';

const SalesView = lazy(() => import('./sales/sales-view.js').then((all) => all.SalesView));
const DayView = lazy(() => import('./day/day-view.js').then((all) => all.DayView));
const SentDaysView = lazy(() =>
  import('./sent-days/sent-days-view.js').then((all) => all.SentDaysView),
);
const ChangesView = lazy(() => import('./changes/changes-view.js').then((all) => all.ChangesView));
const UploadView = lazy(() => import('./upload/upload-view.js').then((all) => all.UploadView));
const AccountView = lazy(() => import('./account/account-view.js').then((all) => all.AccountView));
const GlossaryView = lazy(() =>
  import('./glossary/glossary-view.js').then((all) => all.GlossaryView),
);
const Gallery = lazy(() => import('./components/gallery.js').then((all) => all.Gallery));

/** The views of the navigation: their addresses, their names, and what else belongs to them. */
const VIEWS: readonly (readonly [address: string, label: string, others: readonly string[]])[] = [
  ['', 'Today', []],
  ['sales', 'Sales', ['range', 'day']],
  ['days', 'Sent days', ['calendar']],
  ['changes', 'Changes', []],
  ['upload', 'Files', []],
];

/** A day's date may change while the page is open. */
const REFRESH_MS = 300_000;

/** The head of the page and the view below it. */
export function Shell({ username, told }: { username: string; told?: string | undefined }) {
  const loaded = useLoad(loadAccount, []);
  const uploads = useUploads(loaded.value);
  const [drafts] = useState<Drafts>(() => new Map());
  const isUnsaved = (): boolean => uploads.isWaiting || drafts.size > 0;
  useAskBeforeLeaving(isUnsaved);
  useWhenInFront(loaded.refresh, true, REFRESH_MS);
  const leave = (): void => {
    if (!isUnsaved() || confirm('Files or typed figures are not saved yet. Sign out?'))
      void signOut();
  };
  return (
    <>
      <a class="skip" href="#main" onClick={skip}>
        Skip to the content
      </a>
      <Head username={username} account={loaded.value} leave={leave} />
      <main id="main" tabIndex={-1}>
        <Told text={told} />
        <Progress of={loaded} />
        {loaded.value && (
          <AccountContext.Provider value={{ ...loaded.value, reload: loaded.reload }}>
            <DraftsContext.Provider value={drafts}>
              <View uploads={uploads} />
            </DraftsContext.Provider>
          </AccountContext.Provider>
        )}
      </main>
      {loaded.value && (
        <footer class="foot">
          <a href="#/words">What the words mean</a>
          <button type="button" onClick={() => print()}>
            Print
          </button>
          <CopyLink today={loaded.value.today} />
        </footer>
      )}
    </>
  );
}

/** Shows what was said at the sign-in, until it is closed. */
function Told({ text: given }: { text: string | undefined }) {
  const [text, setText] = useState(given);
  const close = (
    <button type="button" onClick={() => setText(undefined)}>
      Close
    </button>
  );
  return text ? (
    <Notice role="status" actions={close}>
      {text}
    </Notice>
  ) : null;
}

/** The browser asks before it closes a page with files or figures that are not saved. */
function useAskBeforeLeaving(isUnsaved: () => boolean): void {
  useEffect(() => {
    const ask = (event: Event): void => {
      if (isUnsaved()) event.preventDefault();
    };
    addEventListener('beforeunload', ask);
    return () => removeEventListener('beforeunload', ask);
  }, []);
}

interface HeadProps {
  readonly username: string;
  readonly account: Awaited<ReturnType<typeof loadAccount>> | undefined;
  readonly leave: () => void;
}

function Head({ username, account, leave }: HeadProps) {
  return (
    <header class="bar">
      <a class="mark" href="#/">
        <Mark /> Hourly Sales
      </a>
      <Navigation />
      {account && <FindBox restaurants={account.restaurants} today={account.today} />}
      <Menu label="Account" value={<Initials of={username} />} class="me">
        <div class="menu-list">
          <b class="cut">{username}</b>
          <a href="#/account">Account</a>
          <a href="#/words">What the words mean</a>
          <button type="button" onClick={leave}>
            Sign out
          </button>
        </div>
      </Menu>
    </header>
  );
}

function skip(event: Event): void {
  event.preventDefault();
  document.getElementById('main')?.focus();
}

function Initials({ of }: { of: string }) {
  return (
    <span aria-label={`Account of ${of}`} role="img">
      {Array.from(of).slice(0, 2).join('').toUpperCase()}
    </span>
  );
}

function Navigation() {
  const { view } = useRoute();
  return (
    <nav aria-label="Views">
      {VIEWS.map(([address, label, others]) => (
        <a
          key={address}
          href={`#/${address}`}
          aria-current={address === view || others.includes(view) ? 'page' : undefined}
        >
          {label}
        </a>
      ))}
    </nav>
  );
}

function View({ uploads }: { uploads: Uploads }) {
  const { view, parts } = useRoute();
  const { restaurants } = useAccount();
  const [id = '', date] = parts;
  if (view === 'account') return <AccountView />;
  if (view === 'words') return <GlossaryView />;
  if (view === 'components') return <Gallery />;
  if (restaurants.length === 0)
    return <p class="notice">This account has no restaurants yet. An administrator grants them.</p>;
  if (view === 'day' && /^[1-9]\d*$/.test(id) && isDate(date))
    return <DayView key={`${id} ${date}`} id={id} date={date} />;
  if (view === 'sales' || view === 'range') return <SalesView />;
  if (view === 'days' || view === 'calendar') return <SentDaysView />;
  if (view === 'changes') return <ChangesView />;
  if (view === 'upload') return <UploadView uploads={uploads} />;
  return (
    <>
      {view !== '' && (
        <Notice kind="warn" role="alert">
          There is no view at this address. Today is shown instead.
        </Notice>
      )}
      <TodayView />
    </>
  );
}
